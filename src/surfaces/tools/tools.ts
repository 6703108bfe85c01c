/** The tools for agents, with names, descriptions, and functions. The extension and the servers use this list. */
import type { Access, ToolAnswer } from './access.ts';
import { checkChanges, checkChangesInput } from './checkChanges.ts';
import { findSimilar, findSimilarInput, furtherInputs } from './findSimilar.ts';
import { getDuplicate, getDuplicateInput } from './getDuplicate.ts';
import { listDuplicates, listDuplicatesInput } from './listDuplicates.ts';
import { type InputSchema, problemOfInput, type PropertySchema } from './schemas.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Description for the model: what the tool returns, and when to use it. */
  readonly description: string;
  readonly input: InputSchema;
  /** Runs the tool. Accepts any input, and returns a problem if the input is invalid. */
  readonly call: (access: Access, input: unknown) => Promise<ToolAnswer>;
}

/** A tool whose answer requires a valid input. */
interface DescribedTool extends Omit<Tool, 'call'> {
  readonly answer: (access: Access, input: never) => Promise<ToolAnswer>;
  /** Additional sentences in the description, by the access that they require. */
  readonly further?: Readonly<Partial<Record<keyof typeof furtherInputs, string>>>;
}

const described: readonly DescribedTool[] = [
  {
    name: 'find_similar',
    title: 'Find Similar Code',
    description:
      'Finds out whether similar code or prose already exists in the workspace, where, and how similar it is: exact copies, ' +
      'copies with other names, and edited ones. Answers in milliseconds from a live index. Call it before you ' +
      'write a function, class, test or section of more than ten lines: give your draft, or a sketch of it, as ' +
      'text with its language. Call it with place to find what resembles code that exists. It searches by content, ' +
      'not by name; for a symbol or a word, use text search. In each passage, type is exact, renamed (other names or ' +
      'literals), or near (edited), and covered is the share of your text found there.',
    input: findSimilarInput,
    answer: findSimilar,
    further: {
      findInWorktrees:
        'Other agents may be writing the same: with scope: all worktrees, it also searches their worktrees.',
      findInOrganisation: 'With where: organisation, it searches all repositories of the organization instead.',
    },
  },
  {
    name: 'list_duplicates',
    title: 'List Duplicates',
    description:
      'Lists the duplicates in the workspace, the most worthwhile to remove first: passages that ' +
      'occur more than once, and near-duplicate files. The default categories are source and text. Filter ' +
      'by folder or files changed since a Git ref. Call it when asked for duplication, clones or refactoring ' +
      'candidates. worth is roughly the number of tokens saved. For the copies and their text, call get_duplicate.',
    input: listDuplicatesInput,
    answer: listDuplicates,
  },
  {
    name: 'get_duplicate',
    title: 'Show a Duplicate',
    description:
      'Shows all copies of one duplicate by its id, which find_similar (as duplicateId) and list_duplicates return: ' +
      'what differs from the first copy, where they are, and their text. Call it before you merge copies, and ' +
      'before you edit code that has copies, so that the others get the same edit. names lists consistent renamings, ' +
      'and differs is a diff of the rest: empty if only names differ, or if too much does (isUnlike). merge proposes one ' +
      'function for all: signatures, a template with ⟨parameters⟩ and their fillings in each copy, or the obstacles.',
    input: getDuplicateInput,
    answer: getDuplicate,
  },
  {
    name: 'check_changes',
    title: 'Check Changes for New Copies',
    description:
      'Reports whether your changes have added copies of code or prose, and whether one of several copies was edited ' +
      'and the others were not. Compares the working tree with a Git ref, by default HEAD. Call it before ' +
      'you finish a task that changed files, and before a commit or a pull request. holds is false if copies were ' +
      'added; diverged lists groups of which only some copies were edited.',
    input: checkChangesInput,
    answer: checkChanges,
    further: { findInWorktrees: 'With scope: all worktrees, otherWorktrees lists what other agents add, too.' },
  },
];

export const tools: readonly Tool[] = described.map(checkingInput);

/** Returns the tools that are available with the given access. Inputs that need more access are removed. */
export function toolsFor(access: Pick<Access, keyof typeof furtherInputs>): readonly Tool[] {
  return described.map((one) => {
    const words = Object.entries(one.further ?? {}) as [keyof typeof furtherInputs, string][];
    const available = words.filter(([name]) => access[name]);
    const inputs = available.flatMap(([name]) => Object.entries<PropertySchema>(furtherInputs[name]));
    return checkingInput({
      ...one,
      description: [one.description, ...available.map(([, sentence]) => sentence)].join(' '),
      input: { ...one.input, properties: { ...one.input.properties, ...Object.fromEntries(inputs) } },
    });
  });
}

/** Creates a tool that validates its input. */
function checkingInput({ name, title, description, input, answer }: DescribedTool): Tool {
  return {
    name,
    title,
    description,
    input,
    call: async (access, toolInput) => {
      const problem = problemOfInput(toolInput, input);
      return problem === undefined ? answer(access, toolInput as never) : { problem };
    },
  };
}

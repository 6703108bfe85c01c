/**
 * Edits in which an agent writes a helper that the tree has under another name. Each text was written from the
 * sentence beside it. The cases at even places are for tuning, and the others are held back.
 */

/**
 * @typedef {object} Copy
 * @property {'devtools' | 'networkx'} tree
 * @property {string} sentence   behavior that the agent was asked for
 * @property {string} path       file that the text is appended to
 * @property {string} text
 * @property {string} expected   path and name of the existing function, as PATH#NAME
 */

/** @type {readonly Copy[]} */
export const copies = [
  {
    tree: 'devtools',
    sentence: 'Converts a color from hue, whiteness, blackness, and alpha to red, green, blue, and alpha.',
    path: 'front_end/core/common/ColorUtils.ts',
    expected: 'front_end/core/common/Color.ts#hwb2rgb',
    text: `
export function rgbaFromHwb([hue, white, black, alpha]: Color4D): Color4D {
  const sum = white + black;
  if (sum >= 1) {
    const gray = white / sum;
    return [gray, gray, gray, alpha];
  }
  const rgb = hsl2rgb([hue, 1, 0.5, alpha]);
  for (let channel = 0; channel < 3; channel++) {
    rgb[channel] = rgb[channel] * (1 - sum) + white;
  }
  return rgb;
}
`,
  },
  {
    tree: 'devtools',
    sentence: 'Converts an offset in a text to a line and a column, with the offsets of all line ends.',
    path: 'front_end/models/formatter/FormatterWorkerPool.ts',
    expected: 'front_end/models/formatter/ScriptFormatter.ts#positionToLocation',
    text: `
function offsetToLineAndColumn(lineEnds: number[], offset: number): [number, number] {
  const line = Platform.ArrayUtilities.upperBound(lineEnds, offset - 1, Platform.ArrayUtilities.DEFAULT_COMPARATOR);
  if (line === 0) {
    return [0, offset];
  }
  return [line, offset - lineEnds[line - 1] - 1];
}
`,
  },
  {
    tree: 'devtools',
    sentence: 'Merges two sorted arrays by a comparator, or returns only the elements that both have.',
    path: 'front_end/models/bindings/NetworkProject.ts',
    expected: 'front_end/core/platform/ArrayUtilities.ts#mergeOrIntersect',
    text: `
function combineSorted<T>(left: T[], right: T[], compare: (x: T, y: T) => number, union: boolean): T[] {
  const combined: T[] = [];
  let leftIndex = 0;
  let rightIndex = 0;
  while (leftIndex < left.length && rightIndex < right.length) {
    const order = compare(left[leftIndex], right[rightIndex]);
    if (order === 0) {
      combined.push(left[leftIndex]);
      leftIndex++;
      rightIndex++;
    } else if (order < 0) {
      if (union) {
        combined.push(left[leftIndex]);
      }
      leftIndex++;
    } else {
      if (union) {
        combined.push(right[rightIndex]);
      }
      rightIndex++;
    }
  }
  if (union) {
    combined.push(...left.slice(leftIndex), ...right.slice(rightIndex));
  }
  return combined;
}
`,
  },
  {
    tree: 'devtools',
    sentence: 'Returns the translated error of a latitude field: not a number, too small, or too large.',
    path: 'front_end/panels/sensors/SensorsView.ts',
    expected: 'front_end/panels/sensors/LocationsSettingsTab.ts#validateLatitude',
    text: `
function latitudeError(input: string): string|null {
  const text = input.trim();
  if (text === '') {
    return null;
  }
  const latitude = Number(text);
  if (isNaN(latitude)) {
    return i18nString(UIStrings.latitudeIsNotANumber);
  }
  if (latitude < -90) {
    return i18nString(UIStrings.latitudeIsTooSmall, {PH1: -90});
  }
  if (latitude > 90) {
    return i18nString(UIStrings.latitudeIsTooLarge, {PH1: 90});
  }
  return null;
}
`,
  },
  {
    tree: 'devtools',
    sentence:
      'Replaces special characters with their HTML entities and returns the text with the ranges of the entities.',
    path: 'front_end/panels/elements/DOMPath.ts',
    expected: 'front_end/panels/elements/ElementsTreeElement.ts#convertUnicodeCharsToHTMLEntities',
    text: `
function escapeWithEntities(source: string):
    {text: string, entityRanges: TextUtils.TextRange.SourceRange[]} {
  let escaped = '';
  const entityRanges: TextUtils.TextRange.SourceRange[] = [];
  for (const character of source) {
    const name = htmlEntityNames.get(character);
    if (name === undefined) {
      escaped += character;
      continue;
    }
    const entity = \`&\${name};\`;
    entityRanges.push(new TextUtils.TextRange.SourceRange(escaped.length, entity.length));
    escaped += entity;
  }
  return {text: escaped, entityRanges};
}
`,
  },
  {
    tree: 'devtools',
    sentence: 'Returns the names of a font-family value without quotes and comments; none for global keywords.',
    path: 'front_end/panels/elements/StylePropertyUtils.ts',
    expected: 'front_end/core/sdk/CSSPropertyParser.ts#parseFontFamily',
    text: `
export function fontNamesOf(declaration: string): string[] {
  if (CSS_WIDE_KEYWORDS.includes(declaration.trim())) {
    return [];
  }
  return splitByComma(stripComments(declaration)).map(name => {
    const quoted = name.match(/^"(.*)"$|^'(.*)'$/);
    return quoted ? quoted[1] || quoted[2] : name;
  });
}
`,
  },
  {
    tree: 'devtools',
    sentence: 'Returns true if a spreadsheet could take a CSV cell for a formula; plain numbers are none.',
    path: 'front_end/panels/network/NetworkLogView.ts',
    expected: 'front_end/core/platform/StringUtilities.ts#isCsvFormula',
    text: `
function looksLikeFormula(cell: string): boolean {
  const stripped = cell.trimStart();
  const startsLikeFormula = FORMULA_PREFIXES.has(cell[0]) || FORMULA_PREFIXES.has(stripped[0]);
  return startsLikeFormula && !NUMBER_PATTERN.test(stripped.trimEnd());
}
`,
  },
  {
    tree: 'devtools',
    sentence: 'Returns the text of a link to a URL: its display name, with the line from one if there is one.',
    path: 'front_end/panels/issues/AffectedSourcesView.ts',
    expected: 'front_end/ui/components/linkifier/LinkifierUtils.ts#linkText',
    text: `
function labelForLocation(url: Platform.DevToolsPath.UrlString, line?: number): string {
  if (!url) {
    throw new Error('A location needs a URL');
  }
  const name = Bindings.ResourceUtils.displayNameForURL(url);
  return line === undefined ? name : \`\${name}:\${line + 1}\`;
}
`,
  },
  {
    tree: 'devtools',
    sentence: 'Removes the last sourceURL comment of a style sheet if it is alone at the end of its line.',
    path: 'front_end/core/sdk/CSSStyleSheetHeader.ts',
    expected: 'front_end/core/sdk/CSSModel.ts#trimSourceURL',
    text: `
function withoutSourceUrlComment(css: string): string {
  const start = Math.max(css.lastIndexOf('/*# sourceURL='), css.lastIndexOf('/*@ sourceURL='));
  if (start === -1) {
    return css;
  }
  const lineStart = css.lastIndexOf('\\n', start);
  if (lineStart === -1) {
    return css;
  }
  const [line] = css.slice(lineStart + 1).split('\\n');
  if (!/[ \\t]*\\/\\*[#@] sourceURL=[ \\t]*(\\S*)[ \\t]*\\*\\/[ \\t]*$/.test(line)) {
    return css;
  }
  return css.slice(0, lineStart) + css.slice(lineStart + 1 + line.length);
}
`,
  },
  {
    tree: 'devtools',
    sentence: 'Reads a protocol command: JSON with a command and parameters under several names, or only the command.',
    path: 'front_end/panels/protocol_monitor/JSONEditor.ts',
    expected: 'front_end/panels/protocol_monitor/ProtocolMonitor.ts#parseCommandInput',
    text: `
export function readCommand(text: string): {command: string, parameters: Record<string, unknown>} {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return {command: text, parameters: {}};
  }
  return {
    command: message.command ?? message.method ?? message.cmd ?? '',
    parameters: message.parameters ?? message.params ?? message.args ?? message.arguments ?? {},
  };
}
`,
  },
  {
    tree: 'networkx',
    sentence: 'Returns the sum of the weights of the edges between two nodes in both directions.',
    path: 'networkx/algorithms/centrality/closeness.py',
    expected: 'networkx/algorithms/structuralholes.py#mutual_weight',
    text: `

def weight_both_ways(graph, source, target, attribute=None):
    """Sum of the weights of source -> target and target -> source."""
    total = 0
    for first, second in ((source, target), (target, source)):
        try:
            total += graph[first][second].get(attribute, 1)
        except KeyError:
            pass
    return total
`,
  },
  {
    tree: 'networkx',
    sentence: 'Inverts a dictionary: maps each value to the set of keys that have it.',
    path: 'networkx/algorithms/community/modularity_max.py',
    expected: 'networkx/utils/misc.py#groups',
    text: `

def invert_mapping(mapping):
    """Map each value of the mapping to the set of its keys."""
    inverted = defaultdict(set)
    for key, value in mapping.items():
        inverted[value].add(key)
    return dict(inverted)
`,
  },
  {
    tree: 'networkx',
    sentence: 'Returns the number of a triad: each of the six possible edges is a bit.',
    path: 'networkx/algorithms/cluster.py',
    expected: 'networkx/algorithms/triads.py#_tricode',
    text: `

def triad_number(G, a, b, c):
    """Encode which of the six edges among three nodes exist."""
    code = 0
    pairs = [(a, b), (b, a), (b, c), (c, b), (a, c), (c, a)]
    for bit, (tail, head) in enumerate(pairs):
        if head in G[tail]:
            code |= 1 << bit
    return code
`,
  },
  {
    tree: 'networkx',
    sentence: 'Encodes a number of nodes as the units of the graph6 format: one, four, or eight of them.',
    path: 'networkx/readwrite/sparse6.py',
    expected: 'networkx/readwrite/graph6.py#n_to_data',
    text: `

def encode_order(order):
    """Encode the number of nodes in units of six bits."""
    if order < 63:
        return [order]
    if order < 258048:
        return [63] + [(order >> shift) & 0x3F for shift in (12, 6, 0)]
    return [63, 63] + [(order >> shift) & 0x3F for shift in (30, 24, 18, 12, 6, 0)]
`,
  },
  {
    tree: 'networkx',
    sentence: 'Partitions items into sets: two items share a set if a test of both is true.',
    path: 'networkx/algorithms/isomorphism/vf2userfunc.py',
    expected: 'networkx/algorithms/isomorphism/ismags.py#make_partitions',
    text: `

def split_into_classes(elements, are_equivalent):
    """Split elements into equivalence classes."""
    classes = []
    for element in elements:
        for members in classes:
            representative = next(iter(members))
            if are_equivalent(element, representative):
                members.add(element)
                break
        else:
            classes.append({element})
    return classes
`,
  },
  {
    tree: 'networkx',
    sentence: 'Draws a number of distinct elements from a sequence that may hold some of them several times.',
    path: 'networkx/generators/duplication.py',
    expected: 'networkx/generators/random_graphs.py#_random_subset',
    text: `

def draw_distinct(population, count, rng):
    """Draw count distinct elements of the population."""
    chosen = set()
    while len(chosen) < count:
        chosen.add(rng.choice(population))
    return chosen
`,
  },
  {
    tree: 'networkx',
    sentence: 'Returns the adjacency matrix of the tree that a sequence of levels describes.',
    path: 'networkx/generators/trees.py',
    expected: 'networkx/generators/nonisomorphic_trees.py#_layout_to_matrix',
    text: `

def adjacency_from_levels(levels):
    """Adjacency matrix of the tree with the given level sequence."""
    size = len(levels)
    matrix = [[0] * size for _ in range(size)]
    ancestors = []
    for node, level in enumerate(levels):
        while ancestors and levels[ancestors[-1]] >= level:
            ancestors.pop()
        if ancestors:
            parent = ancestors[-1]
            matrix[node][parent] = 1
            matrix[parent][node] = 1
        ancestors.append(node)
    return matrix
`,
  },
  {
    tree: 'networkx',
    sentence: 'Picks a random key of a dictionary with a probability proportional to its value; None if it is empty.',
    path: 'networkx/generators/geometric.py',
    expected: 'networkx/generators/internet_as_graphs.py#choose_pref_attach',
    text: `

def pick_by_weight(weights, rng):
    """Pick a key with a probability proportional to its value."""
    if not weights:
        return None
    total = sum(weights.values())
    if total == 0:
        return rng.choice(list(weights))
    threshold = rng.random() * total
    cumulative = 0
    for key, weight in weights.items():
        cumulative += weight
        if threshold <= cumulative:
            return key
    return key
`,
  },
  {
    tree: 'networkx',
    sentence: 'Counts pairs as a dictionary of dictionaries, as probabilities if asked.',
    path: 'networkx/algorithms/assortativity/correlation.py',
    expected: 'networkx/algorithms/assortativity/mixing.py#mixing_dict',
    text: `

def count_pairs(pairs, as_probabilities=False):
    """Count pairs in nested dictionaries."""
    counts = {}
    total = 0
    for first, second in pairs:
        row = counts.setdefault(first, {})
        counts.setdefault(second, {})
        row[second] = row.get(second, 0) + 1
        total += 1
    if as_probabilities:
        for row in counts.values():
            for key in row:
                row[key] /= total
    return counts
`,
  },
  {
    tree: 'networkx',
    sentence: 'Returns a random state of NumPy for None, a number, a random state, or a generator; an error otherwise.',
    path: 'networkx/drawing/layout.py',
    expected: 'networkx/utils/misc.py#create_random_state',
    text: `

def as_random_state(seed=None):
    """Turn a seed into a random state of NumPy."""
    import numpy as np

    if seed is None or seed is np.random:
        return np.random.mtrand._rand
    if isinstance(seed, (np.random.RandomState, np.random.Generator)):
        return seed
    if isinstance(seed, int):
        return np.random.RandomState(seed)
    raise ValueError(f"{seed!r} cannot be used as a random state")
`,
  },
];

/** Implements the methods of the worker, for Node and browsers. */
import { defaultOptions } from '../../core/engine/options.ts';
import { changeConfiguration, newConfiguration } from '../../scan/io/newConfiguration.ts';
import type { Channel, Handlers } from '../protocol/channel.ts';
import type { HostMethods, WorkerMethods } from '../protocol/messages.ts';
import { explainMatch } from './explainMatch.ts';
import { findSimilar } from './findSimilar.ts';
import { Languages } from './languages.ts';
import { Session } from './session.ts';
import type { System } from './system.ts';

/** Methods that need Git or another program. */
export type ProgramMethods = Pick<Handlers<WorkerMethods>, 'changedFiles' | 'findInOrganisation'> & {
  readonly [Name in 'check' | 'findInWorktrees']: (
    session: Session,
    ...params: Parameters<Handlers<WorkerMethods>[Name]>
  ) => ReturnType<Handlers<WorkerMethods>[Name]>;
};

/** @param wantedGeneration  the current generation, in memory shared with the host if possible */
export function serve(
  channel: Channel<WorkerMethods, HostMethods>,
  system: System,
  wantedGeneration: Int32Array,
  { check, changedFiles, findInOrganisation, findInWorktrees }: ProgramMethods,
): void {
  const session = new Session(system, wantedGeneration, channel);
  const languages = new Languages(system.disk);
  const { reader } = system.scan;
  channel.serve({
    want: (generation) => void Atomics.store(wantedGeneration, 0, generation),
    run: (request) => session.run(request),
    ignore: (ignored) => session.ignore(ignored),
    tune: (request) => session.tune(request),
    explain: (params) => explainMatch(params, languages),
    newConfiguration: (folder) =>
      newConfiguration(folder === undefined ? undefined : system.disk?.readerOf(folder), defaultOptions),
    changeConfiguration,
    find: (params) =>
      session.addSearch((search, inputs) =>
        findSimilar(search, inputs?.lexicons ?? [], inputs && { ...inputs.input, reader }, params),
      ),
    findInWorktrees: (...params) => findInWorktrees(session, ...params),
    findInOrganisation,
    check: (...params) => check(session, ...params),
    changedFiles,
    listFiles: () => session.listFiles(),
    countFiles: () => session.addQuestion((live) => live?.countedFiles()),
    pollDisk: () => session.pollDisk(),
    store: () => session.store(),
    findHiding: (path) => session.findHiding(path),
    contentOf: (path) => session.contentOf(path),
  });
}

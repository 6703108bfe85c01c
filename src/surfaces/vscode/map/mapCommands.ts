/** Implements the command that opens the duplication map. */
import type { Handlers } from '../choices.ts';
import type { DuplicationMap } from './duplicationMap.ts';

export function mapCommands(map: () => Promise<DuplicationMap>): Handlers {
  return { 'kindred.showMap': async () => (await map()).open() };
}

import { withPreset } from '../../core/engine/dials.ts';
import type { Options } from '../../core/engine/options.ts';
import { changeOptions, type Configuration } from '../io/configuration.ts';

/** Returns the options after a preset and changes were applied. A change overrides the preset. */
export function configuredOptions(
  options: Options,
  { preset, options: changes }: Pick<Configuration, 'preset' | 'options'>,
): Options {
  return changeOptions(preset === undefined ? options : withPreset(options, preset), changes);
}

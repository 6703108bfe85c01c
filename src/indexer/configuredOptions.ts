/** Options as configuration files decide them. */
import { withPreset } from '../engine/dials.ts';
import type { Options } from '../engine/options.ts';
import { changeOptions, type Configuration } from '../io/configuration.ts';

/** Options with a preset and changes laid over them: what is set for itself wins over the preset. */
export function configuredOptions(
  options: Options,
  { preset, options: changes }: Pick<Configuration, 'preset' | 'options'>,
): Options {
  return changeOptions(preset === undefined ? options : withPreset(options, preset), changes);
}

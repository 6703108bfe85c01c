/** Names of configuration and baseline files, for the extension, which may import only types of `scan`. */
export { baselineFileName as baselineName, configurationNames, isConfiguration } from '../../scan/io/fileNames.ts';

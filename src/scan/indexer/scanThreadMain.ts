/** Script of a scan thread in Node. */
import { getEnvironmentData, parentPort, workerData } from 'node:worker_threads';
import { config } from '@vscode/l10n';
import type { KernelMemory } from '../../core/engine/kernel.ts';
import { diskReader } from '../io/readSource.ts';
import { translationsKey } from './scanThread.ts';
import { serveScan } from './serveScan.ts';

if (!parentPort) throw new Error('This script runs as a thread of a scan only.');
const translations = getEnvironmentData(translationsKey) as Readonly<Record<string, string>> | undefined;
if (translations) config({ contents: translations });
serveScan(parentPort, workerData as KernelMemory, diskReader);

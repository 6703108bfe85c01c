/**
 * Loads VS Code's translations into `@vscode/l10n`, which lower layers use. Modules that show texts from those layers
 * must import this module.
 */
import { config } from '@vscode/l10n';
import * as vscode from 'vscode';

if (vscode.l10n.bundle) config({ contents: vscode.l10n.bundle });

/** Loads VS Code's translations into `@vscode/l10n`. Modules that show texts of lower layers must import this. */
import { config } from '@vscode/l10n';
import * as vscode from 'vscode';

if (vscode.l10n.bundle) config({ contents: vscode.l10n.bundle });

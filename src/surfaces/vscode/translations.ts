/**
 * Loads the translations of VS Code into `@vscode/l10n`, which the layers below use. Modules that show texts of those
 * layers import this one.
 */
import { config } from '@vscode/l10n';
import * as vscode from 'vscode';

if (vscode.l10n.bundle) config({ contents: vscode.l10n.bundle });

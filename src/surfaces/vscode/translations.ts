/** Gives the layers below the translations of the extension. Imported by the modules that show their texts. */
import { config } from '@vscode/l10n';
import * as vscode from 'vscode';

if (vscode.l10n.bundle) config({ contents: vscode.l10n.bundle });

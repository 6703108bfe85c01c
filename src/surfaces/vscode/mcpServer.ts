/** Registers Kindred's MCP server with VS Code, for agents that use the editor's MCP servers. */
import * as vscode from 'vscode';
import { organisationSetting, readOrganisationFolder } from './settings.ts';

/**
 * Provides the MCP server for workspace folders that are on disk.
 *
 * @param script  bundle of the command line
 */
export function registerMcpServer(script: vscode.Uri, version: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(organisationSetting)) changed.fire();
    }),
    vscode.lm.registerMcpServerDefinitionProvider('kindred', {
      onDidChangeMcpServerDefinitions: changed.event,
      ...mcpServers(script, version),
    }),
  );
}

/** @param isTrusted  false in Restricted Mode. Then no server is provided, because agents could make it run Git */
export function mcpServers(
  script: vscode.Uri,
  version: string,
  isTrusted = (): boolean => vscode.workspace.isTrusted,
): vscode.McpServerDefinitionProvider {
  return {
    provideMcpServerDefinitions: () => {
      if (!isTrusted()) return [];
      const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
      if (folders.length === 0) return [];
      const serverArguments = [script.fsPath, 'mcp', ...folders.map(({ uri }) => uri.fsPath)];
      // With this variable, the executable of VS Code runs scripts like Node.
      const environment = { ELECTRON_RUN_AS_NODE: '1' };
      return [new vscode.McpStdioServerDefinition('Kindred', process.execPath, serverArguments, environment, version)];
    },

    /**
     * The folder is only read when VS Code starts the server. Without the setting, the server uses the environment or
     * the default folder by itself.
     */
    resolveMcpServerDefinition: (server) => {
      if (!isTrusted() || !(server instanceof vscode.McpStdioServerDefinition)) return server;
      const folder = readOrganisationFolder();
      if (folder !== undefined) server.env['KINDRED_INDEX'] = folder;
      return server;
    },
  };
}

/** Registers Kindred's MCP server with VS Code, for agents that use the editor's MCP servers. */
import * as vscode from 'vscode';
import { folderSetting, organisationFolder } from './similar/organisationFolder.ts';

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
      if (event.affectsConfiguration(folderSetting)) changed.fire();
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
      const given = [script.fsPath, 'mcp', ...folders.map(({ uri }) => uri.fsPath)];
      // With this variable, the executable of VS Code runs scripts like Node.
      const environment = { ELECTRON_RUN_AS_NODE: '1' };
      return [new vscode.McpStdioServerDefinition('Kindred', process.execPath, given, environment, version)];
    },

    /** Add the organization's folder only when VS Code starts the server, because the setting may change. */
    resolveMcpServerDefinition: (server) => {
      if (!isTrusted() || !(server instanceof vscode.McpStdioServerDefinition)) return server;
      const organisation = organisationFolder();
      if (organisation !== undefined) server.env['KINDRED_DATABASE'] = organisation.folder;
      return server;
    },
  };
}

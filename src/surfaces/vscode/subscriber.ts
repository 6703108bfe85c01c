/** Base of the classes that listen to events and show things until the extension ends. */
import type * as vscode from 'vscode';

export abstract class Subscriber implements vscode.Disposable {
  readonly #owned: vscode.Disposable[] = [];

  /** Adds what is disposed of together with this object, in the given order. */
  protected own(...owned: readonly vscode.Disposable[]): void {
    this.#owned.push(...owned);
  }

  dispose(): void {
    for (const it of this.#owned.splice(0)) it.dispose();
  }
}

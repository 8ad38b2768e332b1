/** When each step of opening a connection ended, in performance.now() milliseconds; absent if it did not happen. */
export interface ConnectTimestamps {
  started?: number;
  named?: number;
  connected?: number;
  secured?: number;
  ready?: number;
}

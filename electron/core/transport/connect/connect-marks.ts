/** When each step of opening a connection ended, in performance.now() milliseconds; absent where it did not happen. */
export interface ConnectMarks {
  started?: number;
  named?: number;
  connected?: number;
  secured?: number;
  ready?: number;
}

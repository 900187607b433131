/** Who did something, as GitHub's payloads name them. */

export interface Author {
  readonly login: string;
  readonly id: number;
  /** `User`, `Bot`, `Organization`, … */
  readonly type: string;
}

import type { DemoContext } from '../context.ts';
import type { Answer } from './answer.ts';

export type Fields = Readonly<Record<string, string>>;

/** Answers one operation. Called once the caller is authorised and before it is charged, which may still replace the answer. */
export type Handler = (fields: Fields, context: DemoContext) => Answer;

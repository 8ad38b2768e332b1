import type { DemoContext } from '../context.ts';
import type { Answer } from './answer.ts';

export type Fields = Readonly<Record<string, string>>;

/** Answers one operation. Called only after the caller is authorised and has the credits. */
export type Handler = (fields: Fields, context: DemoContext) => Answer;

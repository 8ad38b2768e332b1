import type { DemoContext } from '../context.ts';
import type { Answer } from './answer.ts';

export type Fields = Readonly<Record<string, string>>;

/** Answers one operation whose caller is allowed and can pay. */
export type Handler = (fields: Fields, context: DemoContext) => Answer;

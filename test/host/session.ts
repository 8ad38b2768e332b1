import { Protocol, Session } from './protocol.ts';

export const protocol = new Protocol();
export const session = { defaultSession: new Session(protocol) };

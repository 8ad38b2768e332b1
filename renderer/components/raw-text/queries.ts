import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/calls/bridge.ts';

export interface RawWhich {
  answerId: string;
  side: 'request' | 'answer';
  indented: boolean;
}
export const linesAtOnce = 500;
export const linesQuery = (which: RawWhich, page: number) =>
  queryOptions({
    queryKey: ['operations', 'raw', which, page],
    queryFn: () => call('operations.raw-lines', { ...which, from: page * linesAtOnce, count: linesAtOnce }),
  });
export const findQuery = (which: RawWhich, text: string) =>
  queryOptions({
    queryKey: ['operations', 'raw-find', which, text],
    queryFn: () => call('operations.raw-find', { ...which, text }),
  });

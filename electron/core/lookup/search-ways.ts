import { addressOf, type Connection, type Protocol, type SecretHandle } from '../../../shared/domain/connection.ts';
import { publishedPrice } from '../../../shared/domain/credits/published-price.ts';
import type { SearchOf, SearchWay } from '../../../shared/domain/lookup/lookup.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { askSearch, type SearchRequest } from './questions.ts';
import { isTruncated } from './search-view.ts';

/**
 * The ways to an answer, cheapest first (promise 3): a complete saved answer, then by published price; what has no published price is
 * never put before another. Among equals the connection's own preference decides. Makes no network call.
 */
export async function listSearchWays(
  answers: Pick<AnswerCache, 'find'>,
  connection: Connection,
  handles: readonly SecretHandle[],
  request: Omit<SearchRequest, 'interface'> & { of: SearchOf },
): Promise<Result<SearchWay[]>> {
  const ranked: { way: SearchWay; rank: number }[] = [];
  for (const protocol of waysOpen(connection, handles, request.of)) {
    const asked = askSearch(connection, { ...request, interface: protocol });
    const known = answers.find(connection, asked.question);
    if (!known.ok) return known;
    const { operation } = asked;
    const price = known.value ? ({ kind: 'cached' } as const) : publishedPrice(operation);
    const content = known.value ? await known.value.content() : ok(undefined);
    if (!content.ok) return content;
    const isPart =
      content.value !== undefined && (isTruncated(content.value) || known.value?.answer.doubt !== undefined);
    ranked.push({
      way: { interface: protocol, operation, price, expiresAt: known.value?.expiresAt ?? null },
      rank: known.value ? (isPart ? 0.5 : -1) : price.kind === 'credits' ? price.credits : Number.POSITIVE_INFINITY,
    });
  }
  return ok(ranked.sort((one, other) => one.rank - other.rank || 0).map(({ way }) => way));
}

/** The interfaces that can be asked, the preferred one first. If there are none, the preferred one, whose call says what is missing. */
function waysOpen(connection: Connection, handles: readonly SecretHandle[], of: SearchOf): readonly Protocol[] {
  const { preferredInterface } = connection;
  if (of.kind !== 'text') return ['soap'];
  const both: Protocol[] = preferredInterface === 'rest' ? ['rest', 'soap'] : ['soap', 'rest'];
  const ready = both.filter((protocol) => isReady(connection, handles, protocol));
  if (ready.length > 0) return ready;
  return [both.find((protocol) => addressOf(connection, protocol) !== '') ?? preferredInterface];
}

/** Whether a search over an interface has an address and all its credentials. */
function isReady(connection: Connection, handles: readonly SecretHandle[], protocol: Protocol): boolean {
  if (addressOf(connection, protocol) === '') return false;
  const has = (role: SecretHandle['role']) => handles.some((handle) => handle.role === role && handle.preferred);
  return protocol === 'rest' ? has('lookup-key') : connection.accountName !== '' && has('licence-id');
}

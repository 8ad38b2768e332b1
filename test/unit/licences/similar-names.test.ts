import { describe, expect, it, test } from 'vitest';
import {
  compareMachineNames,
  findSimilarNames,
  foldMachineName,
} from '../../../shared/domain/licences/similar-names.ts';

describe('near-equal machine names', () => {
  test.each([
    ['HFD-LT-0219', 'hfd-lt-0219', ['capitals']],
    ['HFD-LT-0219', 'HFD-LT-0219 ', ['blanks']],
    ['HFD-LT-0219', 'HFD-LT-\u200b0219', ['blanks']],
    ['HFD-LT-0219', 'HFD–LT‑0219', ['kind of dash']],
    ['HFD-LT-0219', 'HFD-LT-0219.corp.example', ['domain']],
    ['HFD-LT-0219', 'HFD-L\u0422-0219', ['kind of letter']],
    ['HFD-LT-0219', '\u0397FD-LT-0219', ['kind of letter']],
    ['HFD-LT-0219', '\uff28FD-LT-\uff10219', ['kind of letter']],
    ['hfd-pc-0219', 'HFD-\u0440\u0441-0219', ['kind of letter', 'capitals']],
    ['HFD-LT-0219.a.example', 'HFD-LT-0219.b.example', ['domain']],
    ['HFD-LT-0219', 'hfd–lt-0219 .corp.example', ['blanks', 'kind of dash', 'domain', 'capitals']],
  ])('%s and %s differ in %j', (a, b, differences) => {
    expect(compareMachineNames(a, b)).toEqual(differences);
    expect(compareMachineNames(b, a)).toEqual(differences);
  });

  test.each([
    ['HFD-LT-0219', 'HFD-LT-0219'],
    ['HFD-LT-0219', 'HFD-LT-0218'],
    ['HFD-LT-0219', 'HFD_LT_0219'],
    ['10.0.0.1', '10.0.0.2'],
    ['10.0.0.1', '10'],
    ['PC1', 'PC01'],
    ['\u0414\u041e\u041c-1', '\u0414\u041e\u0422-1'],
  ])('%s and %s are not near-equal', (a, b) => expect(compareMachineNames(a, b)).toEqual([]));

  it('are found once each among the known ones', () => {
    const known = ['hfd-lt-0219', 'hfd-lt-0219', 'HFD-LT-0219', 'HFD-LT-0147'];
    expect(findSimilarNames('HFD-LT-0219', known)).toEqual([{ name: 'hfd-lt-0219', differences: ['capitals'] }]);
  });

  it('fold to the same name however often they are folded', () => {
    expect(foldMachineName(' HFD–LT-0219.Corp.example ')).toBe('hfd-lt-0219');
    expect(foldMachineName(foldMachineName('Pc One.X'))).toBe(foldMachineName('Pc One.X'));
  });
});

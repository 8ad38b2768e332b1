import type { DemoContext } from '../context.ts';
import { readOutward, splitPostcode } from '../gazetteer/postcodes.ts';
import type { SearchOutcome } from '../gazetteer/types.ts';
import { type Answer, badInput } from './answer.ts';
import { readExpression } from './expression.ts';
import type { Fields, Handler } from './handler.ts';
import { listPremises, listRows, refusalOf, thoroughfareRow } from './rows.ts';
import { findSearchField, searchFieldNames } from './search-fields.ts';

/** Code 301 for a text that is not a postcode; undefined for one that may be. */
export function refusePostcode(text: string | undefined): Answer | undefined {
  if (splitPostcode(text ?? '')) return undefined;
  return badInput(text?.trim() ? 'it is not a postcode.' : 'the postcode is empty.');
}

const answerSearch = (outcome: SearchOutcome): Answer => refusalOf(outcome) ?? listPremises(outcome.found);

const byPostcode: Handler = ({ sPostcode }, { gazetteer }) =>
  refusePostcode(sPostcode) ?? listPremises(gazetteer.premisesAtPostcode(sPostcode ?? ''));

const byWords =
  (where: 'premise' | 'street' | 'locality' | 'all'): Handler =>
  ({ sSearch }, { gazetteer, settings }) =>
    answerSearch(gazetteer.searchWords([sSearch ?? ''], { in: where, limit: settings.searchLimit }));

const operators: Readonly<Record<string, 'AND' | 'OR'>> = { '': 'AND', AND: 'AND', '+': 'AND', OR: 'OR', '|': 'OR' };

/** The operations that list premises and thoroughfares. */
export const searchOperations = {
  SearchPremise_ByPostcode: byPostcode,
  ReturnPremise_ByPostcode: byPostcode,
  SearchPremise_ByPostcodeFlatOrNumber: (fields, { gazetteer }) =>
    refusePostcode(fields.sPostcode) ??
    listPremises(
      gazetteer.premisesAtPostcodeAndNumber(fields.sPostcode ?? '', {
        number: fields.sPremisesNumber ?? '',
        flatOrBuilding: fields.sFlatOrBuildingName ?? '',
      }),
    ),
  SearchPremise_ByWordMatchOnPremise: byWords('premise'),
  SearchPremise_ByWordMatchOnStreet: byWords('street'),
  SearchPremise_ByWordMatchOnLocality: byWords('locality'),
  SearchPremise_ByWordMatchOnAll: byWords('all'),
  SearchPremise_ByPOBox: ({ sPOBox = '', sTown = '' }, { gazetteer, settings }) =>
    answerSearch(gazetteer.searchPoBox(sPOBox, sTown, settings.searchLimit)),
  SearchPremise_ByOrganisation: ({ sOrganisation = '', sTown = '' }, { gazetteer, settings }) =>
    answerSearch(gazetteer.searchOrganisation(sOrganisation, sTown, settings.searchLimit)),
  SearchPremise_ByStreet: ({ sStreet = '', sNumber = '', sTown = '' }, { gazetteer, settings }) =>
    answerSearch(gazetteer.searchStreet(sStreet, sNumber, sTown, settings.searchLimit)),
  SearchThoroughfare_ByPostcodeDistrict: ({ sPostcode = '' }, { gazetteer }) =>
    readOutward(sPostcode) === null
      ? badInput('it is neither a postcode district nor a postcode.')
      : listRows(gazetteer.thoroughfaresInDistrict(sPostcode).map(thoroughfareRow)),
  SearchThoroughfare_ByStreet: ({ sStreet = '', sNumber = '', sTown = '' }, { gazetteer, settings }) => {
    const outcome = gazetteer.thoroughfaresByStreet(sStreet, sNumber, sTown, settings.searchLimit);
    return refusalOf(outcome) ?? listRows(outcome.found.map(thoroughfareRow));
  },
  SearchPremise_ByThouroughfareID: ({ sThouroughfareID = '' }, { gazetteer }) =>
    sThouroughfareID.trim() === ''
      ? badInput('sThouroughfareID is empty.')
      : listPremises(gazetteer.premisesOnThoroughfare(sThouroughfareID.trim())),
  LightSearchPremise_BySearchExpression: searchOneField,
  SearchMultiByMultiKeywords: searchKeywords,
  AdvancedSearch: ({ sSearchExpression = '' }, { gazetteer, settings }) => {
    const read = readExpression(sSearchExpression);
    if ('problem' in read) return badInput(read.problem);
    return answerSearch(gazetteer.searchCondition(read.condition, settings.searchLimit));
  },
} satisfies Record<string, Handler>;

function searchOneField({ sField = '', sValue = '' }: Fields, { gazetteer, settings }: DemoContext): Answer {
  const field = findSearchField(sField);
  if (!field) return badInput(`sField is none of ${searchFieldNames.join(', ')}.`);
  return answerSearch(gazetteer.searchField(field, sValue, settings.searchLimit));
}

function searchKeywords(fields: Fields, { gazetteer, settings }: DemoContext): Answer {
  const operator = operators[(fields.sOperator ?? '').trim().toUpperCase()];
  if (!operator) return badInput('sOperator is AND or OR.');
  const query = {
    postcode: fields.sPostcode,
    company: fields.sCompany,
    street: fields.sStreet,
    locality: fields.sLocality,
    townOrCity: fields.sTownOrCity,
    number: fields.sNumber,
  };
  return answerSearch(gazetteer.searchKeywords(query, operator, settings.searchLimit));
}

import type { RecordName } from '../../../shared/catalogue/records.ts';
import { datasetSuffix, type SoapOperationName, soapOperations } from '../../../shared/catalogue/soap-operations.ts';
import type { DemoSettings } from '../options.ts';

/** One operation under a name by which it can be called. */
export interface ServedOperation {
  readonly name: string;
  /** The name that determines handler and price: for a twin its operation's, for the map operation the catalogue's. */
  readonly base: ServedBase;
  readonly fields: readonly { readonly name: string; readonly type: 'string' | 'integer' }[];
  /** `guide-addresses`: the integration guide's result of Address elements. */
  readonly result: RecordName | 'string' | 'integer' | 'guide-addresses';
  readonly dataset: boolean;
}

export const mapOperation = 'FindNearestDataForPostcodeWebMap';
export const radiusOperation = 'NearestData_ForPostcodeWithinAMaximumRadius';
export const guideOperation = 'guide';

/** An operation of the catalogue, or one that an option adds. */
export type ServedBase = SoapOperationName | typeof radiusOperation | typeof guideOperation;

/** Fields of the guide's Address element (specification, end of "SOAP"). */
export const guideAddressFields = [
  'BuildingNumber',
  'Street',
  'Locality',
  'Town',
  'County',
  'Postcode',
  'Latitude',
  'Longitude',
] as const;

/** The 34 published operations and 16 twins, with what the options add, in the order of the description. */
export function listServedOperations(settings: DemoSettings): ServedOperation[] {
  const word = settings.mapWord;
  const served: ServedOperation[] = [];
  for (const operation of soapOperations) {
    const isMap = operation.name === mapOperation;
    const fields = operation.fields.map((field) => ({
      name: field.name === 'sWebMapKey' ? `s${word}MapKey` : field.name,
      type: field.type,
    }));
    const result =
      operation.result === 'not-shown' ? (settings.mapResult === 'string' ? 'string' : 'Nearests') : operation.result;
    const name = isMap ? `FindNearestDataForPostcode${word}Map` : operation.name;
    const made: ServedOperation = { name, base: operation.name, fields, result, dataset: false };
    served.push(made);
    if (operation.dataset) served.push({ ...made, name: name + datasetSuffix, dataset: true });
    if (isMap && settings.radiusOperation) {
      const own = [
        { name: 'sRadius', type: 'string' as const },
        { name: 'sType', type: 'string' as const },
      ];
      const credentials = fields.length - 4;
      served.push({
        ...made,
        name: radiusOperation,
        base: radiusOperation,
        fields: [...fields.slice(0, credentials), ...own, ...fields.slice(credentials)],
      });
    }
  }
  if (settings.guideOperation !== '')
    served.push({
      name: settings.guideOperation,
      base: guideOperation,
      fields: [
        { name: 'ApiKey', type: 'string' },
        { name: 'Postcode', type: 'string' },
      ],
      result: 'guide-addresses',
      dataset: false,
    });
  return served;
}

/** SOAPAction: the namespace, a slash unless it ends with one, and the operation's name (field notes). */
export function actionOf(namespace: string, operation: string): string {
  return `${namespace}${namespace.endsWith('/') ? '' : '/'}${operation}`;
}

import { type RecordName, records } from '../../../shared/catalogue/records.ts';
import type { RecordDef } from '../../../shared/catalogue/types.ts';
import type { DemoSettings } from '../options.ts';
import type { Row } from './answer.ts';
import { element, escapeXml, textElement } from './xml-write.ts';

/** Name of the typed .NET DataSet that older versions of the service send (field notes, "Data sets"). */
const datasetName = 'PostcodeUtilities';

/** Fields of a record that its table does not have (field notes: no coordinates, no error fields and no FullAddress). */
const leftOut: Partial<Record<RecordName, readonly string[]>> = {
  AddressPremise: ['Latitude_Degrees', 'Longitude_Degrees', 'IsError', 'ErrorMessage', 'FullAddress'],
};

/** Columns of a record's table, in order. */
function tableColumns(record: RecordName): string[] {
  const definition: RecordDef = records[record];
  return definition.fields.map(({ name }) => name).filter((name) => !leftOut[record]?.includes(name));
}

/** A data set with one table, in the form of the setting `dataset`. */
export function encodeDataset(record: RecordName, rows: readonly Row[], settings: DemoSettings): string {
  const namespace = settings.utilitiesNamespace;
  const columns = tableColumns(record);
  const cells = (row: Row): string =>
    columns
      .filter((name) => settings.empty === 'element' || (row[name] ?? '') !== '')
      .map((name) => textElement(name, row[name] ?? ''))
      .join('');
  const bare = (content: string): string => element(datasetName, content, { xmlns: namespace });
  if (settings.dataset === 'rows') return bare(rows.map((row) => element(record, cells(row))).join(''));
  const numbered = rows.map((row, index) =>
    element(record, cells(row), {
      'diffgr:id': `${record}${index + 1}`,
      'msdata:rowOrder': String(index),
      'diffgr:hasChanges': 'inserted',
    }),
  );
  // .NET sends a diffgram without rows empty, or with the empty data set in it.
  const isEmpty = rows.length === 0 && settings.dataset !== 'diffgram';
  const diffgram = element('diffgr:diffgram', isEmpty ? '' : bare(numbered.join('')), {
    'xmlns:msdata': 'urn:schemas-microsoft-com:xml-msdata',
    'xmlns:diffgr': 'urn:schemas-microsoft-com:xml-diffgram-v1',
  });
  if (settings.dataset === 'diffgram') return diffgram;
  const both = writeSchema(record, columns, namespace) + diffgram;
  return settings.dataset === 'siblings' ? both : bare(both);
}

function writeSchema(record: RecordName, columns: readonly string[], namespace: string): string {
  const fields = columns.map((name) => `<xs:element name="${name}" type="xs:string" minOccurs="0" />`).join('');
  const uri = escapeXml(namespace);
  return (
    `<xs:schema id="${datasetName}" targetNamespace="${uri}" xmlns:mstns="${uri}" xmlns="${uri}" ` +
    'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:msdata="urn:schemas-microsoft-com:xml-msdata" ' +
    'attributeFormDefault="qualified" elementFormDefault="qualified">' +
    `<xs:element name="${datasetName}" msdata:IsDataSet="true" msdata:UseCurrentLocale="true"><xs:complexType>` +
    `<xs:choice minOccurs="0" maxOccurs="unbounded"><xs:element name="${record}"><xs:complexType><xs:sequence>${fields}` +
    '</xs:sequence></xs:complexType></xs:element></xs:choice></xs:complexType></xs:element></xs:schema>'
  );
}

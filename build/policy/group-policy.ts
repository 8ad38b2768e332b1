import { registryKey } from '../../electron/platform/registry-policy.ts';
import type { PolicySetting } from './describe-policy.ts';
import { escapeXml } from './xml-text.ts';

// Group Policy's template (ADMX) and its English texts (ADML), with one policy for each setting, by the published schema
// http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions.

const key = registryKey.replace(/^HKEY_LOCAL_MACHINE\\/, '');
const namespace = 'AddressConsole.Policies';
/** The setting for extra certificates is for macOS and Linux; on Windows, administrators use the system's store. */
const applies = ({ name }: PolicySetting) => name !== 'extraCaFile';

function elementsOf({ name, kind, choices, least, most }: PolicySetting): string[] {
  if (kind === 'number')
    return [`<decimal id="${name}" valueName="${name}" required="true" minValue="${least}" maxValue="${most}" />`];
  if (kind === 'text') return [`<text id="${name}" valueName="${name}" required="true" />`];
  // With a prefix Group Policy names the values itself; only their data matters.
  if (kind === 'list') return [`<list id="${name}" key="${key}\\${name}" valuePrefix="entry" />`];
  if (kind !== 'choice') return [];
  return [
    `<enum id="${name}" valueName="${name}" required="true">`,
    ...choices.map(
      (choice) => `  <item displayName="$(string.${name}_${choice})"><value><string>${choice}</string></value></item>`,
    ),
    '</enum>',
  ];
}

function policyOf(setting: PolicySetting): string[] {
  const { name, kind } = setting;
  const elements = elementsOf(setting);
  const flag = kind === 'flag';
  return [
    `<policy name="${name}" class="Machine" displayName="$(string.${name})" explainText="$(string.${name}_help)"`,
    `        key="${key}"${flag ? ` valueName="${name}"` : ''}${flag ? '' : ` presentation="$(presentation.${name})"`}>`,
    '  <parentCategory ref="AddressConsole" />',
    '  <supportedOn ref="SUPPORTED_AddressConsole" />',
    ...(flag
      ? [
          '  <enabledValue><decimal value="1" /></enabledValue>',
          '  <disabledValue><decimal value="0" /></disabledValue>',
        ]
      : ['  <elements>', ...elements.map((line) => `    ${line}`), '  </elements>']),
    '</policy>',
  ];
}

const indent = (lines: string[], by: number) => lines.map((line) => `${' '.repeat(by)}${line}`).join('\n');

/** The template, which defines what is written to the registry. */
export function writeAdmx(settings: PolicySetting[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<!-- Written by build/policy/write.ts from the policy's schema. -->
<policyDefinitions xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <policyNamespaces>
    <target prefix="addressconsole" namespace="${namespace}" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" />
  <supportedOn>
    <definitions>
      <definition name="SUPPORTED_AddressConsole" displayName="$(string.SUPPORTED_AddressConsole)" />
    </definitions>
  </supportedOn>
  <categories>
    <category name="AddressConsole" displayName="$(string.AddressConsole)" />
  </categories>
  <policies>
${indent(settings.filter(applies).flatMap(policyOf), 4)}
  </policies>
</policyDefinitions>
`;
}

function wordsOf({ name, title, description, kind, choices }: PolicySetting): string[] {
  const flag = kind === 'flag' ? ' Enabled: yes. Disabled: no.' : '';
  return [
    `<string id="${name}">${escapeXml(title)}</string>`,
    `<string id="${name}_help">${escapeXml(description + flag)} Not configured: as the user likes.</string>`,
    ...choices.map((choice) => `<string id="${name}_${choice}">${escapeXml(choice)}</string>`),
  ];
}

function presentationOf({ name, title, kind }: PolicySetting): string[] {
  if (kind === 'flag') return [];
  const label = escapeXml(title);
  const control = {
    number: `<decimalTextBox refId="${name}" defaultValue="0">${label}</decimalTextBox>`,
    choice: `<dropdownList refId="${name}" noSort="true" defaultItem="0">${label}</dropdownList>`,
    text: `<textBox refId="${name}"><label>${label}</label></textBox>`,
    list: `<listBox refId="${name}">${label}</listBox>`,
  }[kind];
  return [`<presentation id="${name}">`, `  ${control}`, '</presentation>'];
}

/** The template's texts. */
export function writeAdml(settings: PolicySetting[]): string {
  const shown = settings.filter(applies);
  return `<?xml version="1.0" encoding="utf-8"?>
<!-- Written by build/policy/write.ts from the policy's schema. -->
<policyDefinitionResources xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <displayName>Address Console</displayName>
  <description>What an administrator sets for everyone on a computer.</description>
  <resources>
    <stringTable>
      <string id="AddressConsole">Address Console</string>
      <string id="SUPPORTED_AddressConsole">Address Console 0.1 or later</string>
${indent(shown.flatMap(wordsOf), 6)}
    </stringTable>
    <presentationTable>
${indent(shown.flatMap(presentationOf), 6)}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`;
}

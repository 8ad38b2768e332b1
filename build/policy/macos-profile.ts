import { hash } from 'node:crypto';
import { type Policy, strictestPolicy } from '../../electron/core/policy/policy-schema.ts';
import { bundleId } from '../../electron/platform/policy-file.ts';
import type { PolicySetting } from './describe-policy.ts';
import { escapeXml } from './xml-text.ts';

/** The values of a new profile: restrictive ones, which the administrator is to review, and addresses under a reserved name. */
export const examplePolicy: Policy = {
  ...strictestPolicy,
  allowedBaseUrls: ['https://lookup.example'],
  heldAnswerHoursMax: 24,
  creditsPerRunMax: 100,
  creditsPerDayMax: 500,
  balanceFloorMin: 0,
};

function valueLines(value: unknown): string[] {
  if (Array.isArray(value)) return ['<array>', ...value.flatMap(valueLines).map((line) => `  ${line}`), '</array>'];
  if (typeof value === 'boolean') return [value ? '<true/>' : '<false/>'];
  return typeof value === 'number' ? [`<integer>${value}</integer>`] : [`<string>${escapeXml(String(value))}</string>`];
}

/** A name-based UUID, so that the file is the same each time it is written. */
function uuidOf(name: string): string {
  const hex = hash('sha256', name);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
    .join('-')
    .toUpperCase();
}

/** A configuration profile whose payload macOS writes to the program's managed settings. */
export function writeMobileConfig(settings: PolicySetting[]): string {
  const lines = settings.flatMap(({ name, title, description }) => {
    const value = examplePolicy[name as keyof Policy];
    return value === undefined
      ? [`<!-- ${name}: ${title}. ${description} -->`]
      : [`<!-- ${title}. ${description} -->`, `<key>${name}</key>`, ...valueLines(value)];
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by build/policy/write.ts from the policy's schema. Remove a setting to leave it to the user. -->
<plist version="1.0">
<dict>
  <key>PayloadType</key>
  <string>Configuration</string>
  <key>PayloadVersion</key>
  <integer>1</integer>
  <key>PayloadIdentifier</key>
  <string>${bundleId}.policy</string>
  <key>PayloadUUID</key>
  <string>${uuidOf('profile')}</string>
  <key>PayloadDisplayName</key>
  <string>Address Console policy</string>
  <key>PayloadScope</key>
  <string>System</string>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadType</key>
      <string>${bundleId}</string>
      <key>PayloadVersion</key>
      <integer>1</integer>
      <key>PayloadIdentifier</key>
      <string>${bundleId}.policy.settings</string>
      <key>PayloadUUID</key>
      <string>${uuidOf('settings')}</string>
      <key>PayloadDisplayName</key>
      <string>Address Console settings</string>
      <key>version</key>
      <integer>1</integer>
${lines.map((line) => `      ${line}`).join('\n')}
    </dict>
  </array>
</dict>
</plist>
`;
}

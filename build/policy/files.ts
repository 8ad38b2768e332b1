import { policyJsonSchema, policySettings } from './describe-policy.ts';
import { writeAdml, writeAdmx } from './group-policy.ts';
import { examplePolicy, writeMobileConfig } from './macos-profile.ts';

/** The content of every file that is generated from the policy's schema, by its name in this folder. */
export function policyFiles(): Record<string, string> {
  const settings = policySettings();
  return {
    'policy.schema.json': json(policyJsonSchema()),
    'policy.example.json': json({ $schema: './policy.schema.json', ...examplePolicy }),
    'address-console.admx': writeAdmx(settings),
    'en-US/address-console.adml': writeAdml(settings),
    'address-console.mobileconfig': writeMobileConfig(settings),
  };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

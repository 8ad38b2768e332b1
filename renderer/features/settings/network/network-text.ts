import type { CheckedAddress, CheckStep, NetworkCheck } from '../../../../shared/contract/network.ts';
import { type NetworkState, rootSourceText } from '../../../../shared/domain/network.ts';
import { checkText, formatRoots, nameStep } from './network-messages.ts';

const stateText: Readonly<Record<CheckStep['state'], string>> = {
  running: 'not finished',
  passed: 'passed',
  failed: 'FAILED',
  skipped: 'left out',
};

function describeStep(step: CheckStep): string[] {
  const took = step.durationMs === null ? '' : ` (${Math.round(step.durationMs)} ms)`;
  const { handshake, error } = step;
  return [
    `  ${nameStep(step)}: ${stateText[step.state]}${took}. ${step.text}`,
    ...step.notes.map((note) => `    ${note}`),
    ...(error ? [`    ${error.next}`, `    Code ${error.code}${error.detail ? `: ${error.detail}` : ''}`] : []),
    ...(handshake
      ? [
          `    ${handshake.protocol}, ${handshake.cipher}`,
          ...handshake.checks.map(
            ({ what, passed, text }) => `    ${checkText[what]}: ${passed ? 'passed' : 'FAILED'}, ${text}`,
          ),
          ...handshake.chain.flatMap((one, index) => [
            `    ${index + 1}. ${one.subject}`,
            `       signed by ${one.issuer}`,
            `       valid ${one.validFrom} to ${one.validUntil}`,
            `       SHA-256 ${one.fingerprint}`,
          ]),
          ...(handshake.root && handshake.root.sources.length > 0
            ? [
                `    Trusted root: ${handshake.root.subject}, from ${handshake.root.sources
                  .map((source) => rootSourceText[source])
                  .join(' and ')}`,
              ]
            : []),
        ]
      : []),
  ];
}

const describeAddress = ({ uses, origin, steps }: CheckedAddress): string =>
  [`${uses.join(' and ')}: ${origin}`, ...steps.flatMap(describeStep)].join('\n');

/** A whole check as one text for a support ticket. It contains no password and no user name: the check sends neither to the window. */
export function describeCheck(check: NetworkCheck, state: NetworkState | undefined, program: string): string {
  return [
    `Network check of ${program}, ${check.at}`,
    'The check tries to connect to each address as a call would, and sends no request over the connection.',
    ...check.addresses.map(describeAddress),
    ...(state ? [formatRoots(state.roots), describeVariables(state)] : []),
    '',
  ].join('\n\n');
}

function describeVariables({ environment }: NetworkState): string {
  const set = environment.filter((variable) => variable.set);
  return set.length === 0
    ? 'Environment variables: none of those that people expect to matter is set.'
    : ['Environment variables that are set:', ...set.map(({ name, effect }) => `  ${name}. ${effect}`)].join('\n');
}

/**
 * The closed list of everything that can go wrong, each with the sentence a support person can act on.
 * `what` is the default message; a caller that knows more passes its own. `next` says what to do.
 */
export const errorCodes = {
  // Before anything left this computer
  'bad-input': { what: 'Something typed here is not usable.', next: 'Correct the marked field and try again.' },
  'bad-channel-input': { what: 'The window sent a request the program does not accept.', next: 'Restart the program.' },
  'not-allowed': { what: 'This request did not come from the program’s own window.', next: 'Restart the program.' },
  'unknown-operation': {
    what: 'Neither the catalogue nor the description knows this operation.',
    next: 'Read the description again, or choose another operation.',
  },
  'no-connection': { what: 'No such connection is set up.', next: 'Choose or add one under Connections.' },
  'not-configured': {
    what: 'The connection has no address for this interface.',
    next: 'Add the address under Connections.',
  },
  'no-credential': {
    what: 'The connection has no key or credential for this call.',
    next: 'Add it under Connections.',
  },
  'wrong-key-role': {
    what: 'A master key is not used for lookups.',
    next: 'Add a key with the role “lookup” under Connections.',
  },
  'insecure-address': {
    what: 'The address is not https, so no credential was attached.',
    next: 'Use an https address; plain http is for this computer only.',
  },
  'wrong-origin': {
    what: 'The request would have gone to another server than the connection’s.',
    next: 'Check the addresses under Connections.',
  },
  'keychain-locked': {
    // macOS says the same of an open keychain whose prompt for one key is refused.
    what: 'The keychain is locked, or its prompt was refused or not answered.',
    next: 'Unlock it, or allow what it asks, and try again.',
  },
  'keychain-absent': {
    what: 'The secret is not in the keychain.',
    next: 'Enter it again under Connections.',
  },
  'keychain-unreadable': {
    what: 'The keychain did not hand the secret over.',
    next: 'Open the system’s keychain program, then try again.',
  },
  'not-cached': { what: 'The answer is no longer saved.', next: 'Ask again at its price if you still need it.' },
  'cap-reached': { what: 'A spending cap holds this call back.', next: 'Raise the cap under Credits, or wait.' },
  'policy-forbids': {
    what: 'A policy of this computer does not allow this.',
    next: 'Ask whoever looks after this computer.',
  },
  'unfinished-change': {
    what: 'An earlier licence change is not finished.',
    next: 'Check, finish or undo it under Licences first.',
  },
  'plan-outdated': { what: 'The plan no longer matches what the service says.', next: 'Look at the new plan first.' },
  'not-confirmed': { what: 'The name typed does not match the machine.', next: 'Type the machine’s name as shown.' },
  'looks-like-key': {
    what: 'What was typed looks like one of your keys.',
    next: 'Take it out, or send it all the same. It would be in the activity log and on the disk.',
  },
  cancelled: { what: 'Cancelled before a request was sent.', next: 'Start again when you like.' },
  // The network, before the request was written
  'name-not-found': { what: 'The server’s name was not found.', next: 'Check the address and the network.' },
  'connection-refused': {
    what: 'No usable connection to the server could be made.',
    next: 'Check the address and this computer’s network, or try later.',
  },
  'connect-timeout': { what: 'The server could not be reached in time.', next: 'Check the network, or try later.' },
  'certificate-not-trusted': {
    what: 'The server’s certificate is not trusted.',
    next: 'Ask whoever runs the server or your network; there is no switch to ignore this.',
  },
  'client-certificate-unusable': {
    what: 'The client certificate could not be used.',
    next: 'Choose its file again under Settings, Network.',
  },
  'client-certificate-needed': {
    what: 'The server asks for a client certificate, and none was shown to it.',
    next: 'Ask whoever runs the service for a certificate, then choose its file under Settings, Network.',
  },
  'client-certificate-refused': {
    what: 'The server does not accept the client certificate.',
    next: 'Ask whoever runs the service which certificate it takes; its file is chosen under Settings, Network.',
  },
  'proxy-failed': { what: 'The proxy did not pass the request on.', next: 'Check the proxy under Settings, Network.' },
  // After the request may have left
  'sent-no-answer': {
    what: 'The request was sent and no complete answer came.',
    next: 'Read the balance before asking again.',
  },
  'cancelled-after-sending': {
    what: 'You stopped waiting after the request was sent.',
    next: 'Read the balance before asking again.',
  },
  // An answer came that is not what was asked for
  'redirect-refused': {
    what: 'The server sent the request elsewhere; redirects are not followed.',
    next: 'Enter the final address under Connections.',
  },
  'credentials-refused': {
    what: 'The service does not accept the key or credentials.',
    next: 'Check them under Connections.',
  },
  'not-permitted': {
    what: 'The key is not allowed for this, or not from here.',
    next: 'Check the key’s restrictions in the provider’s portal.',
  },
  'no-credits': { what: 'The service says there are not enough credits.', next: 'Top up, or use another key.' },
  'rate-limited': { what: 'Too many requests.', next: 'Wait a moment, then try again.' },
  'not-found': { what: 'The service knows no such record.', next: 'Check the identifier.' },
  'input-refused': { what: 'The service finds the input badly formed or too vague.', next: 'Make it more exact.' },
  'service-error': { what: 'The service answered with an error.', next: 'Try again later.' },
  'http-error': { what: 'The server answered with an error status.', next: 'Try again later.' },
  'soap-fault': { what: 'The service answered with a SOAP fault.', next: 'Keep the details and tell the provider.' },
  'not-the-service': {
    what: 'A web page came back instead of an answer: a sign-in page or a proxy may be in the way.',
    next: 'Open a browser to sign in to the network, then try again.',
  },
  'unreadable-answer': { what: 'The answer could not be read.', next: 'Keep the details and tell the provider.' },
  'answered-other': {
    what: 'The answer is to something other than what was asked.',
    next: 'It was put aside and the connection was cut. Ask again if you still need it.',
  },
  'unsafe-answer': {
    what: 'The answer contains a construct that is refused for safety.',
    next: 'Keep the details and tell the provider.',
  },
  'answer-too-large': { what: 'The answer is larger than the limit.', next: 'Ask for less at once.' },
  // On this computer
  'storage-failed': {
    what: 'The program’s own database could not be read or written.',
    next: 'Check free disk space and the folder’s permissions.',
  },
  'journal-broken': {
    what: 'The licence journal has been changed outside the program.',
    next: 'Export it and tell your administrator.',
  },
  'file-failed': { what: 'The file could not be read or written.', next: 'Check the folder, or choose another.' },
  'demo-failed': { what: 'The demo service did not start.', next: 'Restart the program.' },
  'part-missing': {
    what: 'A part of the program could not be read.',
    next: 'Start the program again. If that fails too, install it again.',
  },
  internal: { what: 'The program made a mistake.', next: 'Copy the details and report them.' },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Whether credits may have gone: never guessed, see promise 4. */
export type Charge = 'not-charged' | 'may-have-been-charged' | 'not-applicable';

export interface AppError {
  code: ErrorCode;
  /** What happened. */
  message: string;
  /** What it means for credits or licences. */
  money: string;
  /** What to do now. */
  next: string;
  charge: Charge;
  /** Technical detail or the service's own words, redacted. */
  detail?: string;
  /** The field of the input at fault. */
  field?: string;
  /** The activity log's row of the call. */
  callId?: string;
  /** For `credentials-refused`: the key that was sent, if it is one. */
  sentWith?: { id: string; label: string; lastFour: string };
  /** For `rate-limited`: how long the service asked to wait, in milliseconds. */
  retryAfterMs?: number;
}

const chargeText: Record<Charge, string> = {
  'not-charged': 'No request left this computer.',
  'may-have-been-charged': 'It may have cost credits.',
  // Used if nothing was sent, and also if reads of licences left: no price is published for those.
  'not-applicable': 'If a call was made, Activity shows it.',
};

export interface ErrorDetails {
  message?: string;
  next?: string;
  money?: string;
  charge?: Charge;
  detail?: string | undefined;
  field?: string | undefined;
  callId?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** Codes of a call that failed before a byte of it left this computer. 'storage-failed' is none: an answer may fail to be stored. */
export const failsBeforeSending: ReadonlySet<string> = new Set<ErrorCode>([
  'cancelled',
  'not-cached',
  'looks-like-key',
  'cap-reached',
  'policy-forbids',
  'unknown-operation',
  'no-connection',
  'not-configured',
  'no-credential',
  'wrong-key-role',
  'keychain-locked',
  'keychain-absent',
  'keychain-unreadable',
  'insecure-address',
  'wrong-origin',
  'name-not-found',
  'connection-refused',
  'connect-timeout',
  'certificate-not-trusted',
  'client-certificate-unusable',
  'proxy-failed',
  'part-missing',
]);

/**
 * Codes of what came in place of an answer: whether the service answered the call is not known from it, but that nothing came, or that
 * nothing was sent, would be false.
 */
export const somethingCame: ReadonlySet<string> = new Set<ErrorCode>([
  'answered-other',
  'unreadable-answer',
  'unsafe-answer',
  'answer-too-large',
  'not-the-service',
  'http-error',
  'redirect-refused',
]);

/** Codes of calls that left, or may have left: the only ones whose default is "may have been charged". */
const uncertain: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'sent-no-answer',
  'cancelled-after-sending',
  'unreadable-answer',
  'unsafe-answer',
  'answered-other',
  'answer-too-large',
  'http-error',
  'soap-fault',
  'service-error',
  'redirect-refused',
  'credentials-refused',
  'not-permitted',
  'no-credits',
  'rate-limited',
  'not-found',
  'input-refused',
  'not-the-service',
]);

/**
 * Makes an error of the closed list; what the caller leaves out comes from the table. Without a `charge` a code that is not in `uncertain`
 * says that no request left this computer: a caller that has sent one passes it.
 */
export function appError(code: ErrorCode, details: ErrorDetails = {}): AppError {
  const charge = details.charge ?? (uncertain.has(code) ? 'may-have-been-charged' : 'not-charged');
  return {
    code,
    message: details.message ?? errorCodes[code].what,
    money: details.money ?? chargeText[charge],
    next: details.next ?? errorCodes[code].next,
    charge,
    ...(details.detail === undefined ? {} : { detail: details.detail }),
    ...(details.field === undefined ? {} : { field: details.field }),
    ...(details.callId === undefined ? {} : { callId: details.callId }),
    ...(details.retryAfterMs === undefined ? {} : { retryAfterMs: details.retryAfterMs }),
  };
}

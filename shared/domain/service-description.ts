import type { SoapVersion } from './connection.ts';

/** One element of a request, a result or a type, as the description defines it. */
export interface DescribedElement {
  name: string;
  /** Local name of an XML Schema type (`string`, `int`, …) or the key of an entry of `types`; empty if nothing is said. */
  type: string;
  minOccurs: number;
  /** null: unbounded. */
  maxOccurs: number | null;
  nillable: boolean;
  /** Members of an anonymous type; a named one is found under `types`. */
  fields?: DescribedElement[];
  /** The type also takes any element (data sets). */
  any?: boolean;
  /** Sent or expected in this namespace; absent: the operation's. Empty: none. */
  namespace?: string;
}

/** A named complex type, members of the types it extends first. */
export interface DescribedType {
  name: string;
  fields: DescribedElement[];
  any: boolean;
}

export interface DescribedOperation {
  name: string;
  /** By version of the port it is in; an absent version is not offered, an empty action is one. */
  actions: Partial<Record<SoapVersion, string>>;
  /** The request element and its namespace, for document style the operation's name. */
  requestElement: string;
  requestNamespace: string;
  request: DescribedElement[];
  /** Usually the operation's name and Response; null if the description has none. */
  responseElement: string | null;
  /** Its namespace if that is not the request's. */
  responseNamespace?: string;
  /** The one element inside the response element; null if the description has none. */
  result: DescribedElement | null;
  /** False if the schema of the request was not found or the style is not document/literal: `reason` says which. */
  callable: boolean;
  reason?: string;
  documentation?: string;
  /** The request that only the integration guide shows (ApiKey, Postcode), recognised by its shape. */
  publishedInGuideOnly?: true;
}

export interface DescribedPort {
  name: string;
  binding: string;
  /** null: not a SOAP binding (HTTP GET, HTTP form POST), never called. */
  soapVersion: SoapVersion | null;
  address: string | null;
}

/** What could not be followed or understood; none of it stops the rest from being used. */
export interface DescriptionNote {
  kind: 'import-refused' | 'import-failed' | 'address-refused' | 'unresolved' | 'not-supported';
  /** What it is about: an address, an operation, a type. */
  subject: string;
  detail: string;
}

/** A service's own description (WSDL) as plain data: stored, compared and exported as it is. */
export interface ServiceDescription {
  /** ISO 8601, UTC. */
  readAt: string;
  /** Where it was read: an address or a file's name. */
  source: string;
  targetNamespace: string;
  /** Namespace of the data sets' any element; null if the description names none. */
  utilitiesNamespace: string | null;
  ports: DescribedPort[];
  /** Of the chosen port of each version; null if there is none. */
  addresses: Record<SoapVersion, string | null>;
  operations: DescribedOperation[];
  types: Record<string, DescribedType>;
  notes: DescriptionNote[];
}

/** Why a SAML response or the metadata of a provider is refused. Admins see these reasons in the audit. */
export type SamlReason =
  | 'not_xml'
  | 'doctype'
  | 'comment'
  | 'processing_instruction'
  | 'too_deep'
  | 'not_a_response'
  | 'refused_by_provider'
  | 'encrypted'
  | 'assertion_count'
  | 'duplicate_id'
  | 'not_signed'
  | 'signature_misplaced'
  | 'signature_invalid'
  | 'signature_algorithm'
  | 'wrong_issuer'
  | 'wrong_destination'
  | 'wrong_recipient'
  | 'wrong_audience'
  | 'wrong_request'
  | 'expired'
  | 'not_yet_valid'
  | 'session_over'
  | 'conditions'
  | 'subject'
  | 'replayed'
  | 'metadata_expired'

/** A fault in the XML from a SAML provider. */
export class SamlFault extends Error {
  override name = 'SamlFault'
  readonly reason: SamlReason

  constructor(reason: SamlReason, options: { detail?: string; cause?: unknown } = {}) {
    super(options.detail ? `${reason}: ${options.detail}` : reason, { cause: options.cause })
    this.reason = reason
  }
}

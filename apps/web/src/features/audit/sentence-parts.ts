import type { AuditEntry } from '@pegasus/contracts/audit'
import { messageParts, t } from '@/lib/i18n/messages.ts'

/** A part of a sentence. Names are emphasized. */
export type Piece = string | { name: string }
export type Sentence = readonly Piece[]

export type AuditedChange = Pick<
  AuditEntry,
  'actor' | 'action' | 'entity' | 'entity_id' | 'entity_name' | 'before' | 'after'
>

export const name = (text: string | null | undefined, otherwise: string): Piece =>
  text ? { name: text } : otherwise

const who = ({ actor }: AuditedChange): Piece => ({ name: actor.name })

/** Fills a message such as `{who} signed in`. Returns its parts, without empty ones. */
export const say = (
  entry: AuditedChange,
  message: string,
  pieces: Readonly<Record<string, Piece>> = {},
): Sentence => messageParts(message, { who: who(entry), ...pieces }).filter((piece) => piece !== '')

/** Returns the name of the entity. A media file is named without its bucket and folders. */
export const entityName = (
  { entity, entity_name: called, entity_id: id }: AuditedChange,
  otherwise: string,
): Piece => name(entity === 'media' ? called?.split('/').at(-1) : (called ?? id), otherwise)

/**
 * Returns whether a person has changed their own account. Entries about sessions and factors identify the account by
 * its name instead of its id.
 */
export const isOwn = ({ actor, entity, entity_id: id, entity_name: called }: AuditedChange): boolean =>
  actor.kind === 'user' &&
  actor.id !== null &&
  (entity === 'account' ? id === actor.id : called === actor.name)

export const textOf = (side: AuditEntry['after'], field: string): string | null => {
  const value = side?.[field]
  return typeof value === 'string' && value !== '' ? value : null
}

export const has = (side: AuditEntry['after'], field: string): boolean => side?.[field] !== undefined

/** Maps reasons such as `wrong_password` to words. An unknown reason is shown without its underscores. */
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unknown_name: t('no account has this name'),
    not_approved: t('the account waits for approval'),
    email_not_confirmed: t('the email is not confirmed'),
    deactivated: t('the account is deactivated'),
  }),
)

export const reasonSuffix = ({ after }: AuditedChange): string => {
  const reason = textOf(after, 'reason')
  return reason === null ? '' : `: ${REASONS.get(reason) ?? reason.replaceAll('_', ' ')}`
}

// The sentences about sessions and accounts that depend on the fields of the entry.
import { t } from '@/lib/i18n/messages.ts'
import { roleLabel } from '@/lib/i18n/roles.ts'
import {
  type AuditedChange,
  entityName,
  has,
  isOwn,
  name,
  say,
  type Sentence,
  textOf,
} from './audit-sentence.ts'

/** How a session was opened. Signing in with a password is not mentioned. */
const WAYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    password: '',
    invite: t(' with an invitation'),
    recovery: t(' with a link for a new password'),
    signup: t(' by signing up'),
    anonymous: t(' without a name'),
    oauth: t(' through another provider'),
    web3: t(' with a wallet'),
  }),
)

export const signInMethod = ({ after }: AuditedChange): string =>
  WAYS.get(textOf(after, 'method') ?? 'password') ?? t(' with a link from an email')

const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    global: t('signed out everywhere'),
    others: t('signed out everywhere else'),
    one: t('signed out one of their sessions'),
  }),
)

export function sessionEnded(entry: AuditedChange): Sentence {
  if (textOf(entry.after, 'reason') === 'refresh_token_reused')
    return say(entry, 'A session of {entityName} was ended because two browsers used it', {
      entityName: entityName(entry, t('somebody')),
    })
  const how = ENDINGS.get(textOf(entry.after, 'scope') ?? '') ?? t('signed out')
  return say(entry, '{who} {how}', { how })
}

export function roleOf(side: AuditedChange['after']): string | null {
  const role = textOf(side, 'role')
  return role === null ? null : roleLabel(role)
}

export function accountUpdated(entry: AuditedChange): Sentence {
  const { before, after } = entry
  const person = entityName(entry, t('an account'))
  const role = say(entry, '{who} changed the role of {person} from {textOf} to {textOf2}', {
    person,
    textOf: roleOf(before) ?? t('none'),
    textOf2: roleOf(after) ?? t('none'),
  })
  const isGiven = after?.['system_access'] === true
  if (has(after, 'role'))
    return has(after, 'system_access')
      ? [...role, isGiven ? t(', and gave system access') : t(', and took system access')]
      : role
  if (has(after, 'system_access'))
    return isGiven
      ? say(entry, '{who} gave {person} system access', { person })
      : say(entry, '{who} removed system access from {person}', { person })
  if (after?.['approved'] === false) return say(entry, '{who} withdrew the approval of {person}', { person })
  return say(entry, '{who} changed the account of {person}', { person })
}

export function profileUpdated(entry: AuditedChange): Sentence {
  const { before, after } = entry
  if (!isOwn(entry))
    return say(entry, '{who} changed the profile of {entityName}', {
      entityName: entityName(entry, t('somebody')),
    })
  if (has(after, 'full_name'))
    return say(entry, '{who} changed their name from {name} to {name2}', {
      name: name(textOf(before, 'full_name'), t('none')),
      name2: name(textOf(after, 'full_name'), t('none')),
    })
  if (has(after, 'new_email'))
    return say(entry, '{who} requested a change of their email to {name}', {
      name: name(textOf(after, 'new_email'), t('none')),
    })
  return say(entry, '{who} changed their profile')
}

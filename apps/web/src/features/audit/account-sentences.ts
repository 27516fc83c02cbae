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
} from './sentence-parts.ts'

/**
 * The sentences about how a session was opened, by method. A password is the usual method, so its sentence does not
 * mention it.
 */
const OPENINGS: ReadonlyMap<string, (entry: AuditedChange) => Sentence> = new Map(
  Object.entries({
    password: (entry: AuditedChange) => say(entry, '{who} signed in'),
    invite: (entry: AuditedChange) => say(entry, '{who} signed in with an invitation'),
    recovery: (entry: AuditedChange) => say(entry, '{who} signed in with a link for a new password'),
    signup: (entry: AuditedChange) => say(entry, '{who} signed in by signing up'),
    anonymous: (entry: AuditedChange) => say(entry, '{who} signed in without a name'),
    oauth: (entry: AuditedChange) => say(entry, '{who} signed in through another provider'),
    web3: (entry: AuditedChange) => say(entry, '{who} signed in with a wallet'),
  }),
)

export function sessionOpened(entry: AuditedChange): Sentence {
  const sentence = OPENINGS.get(textOf(entry.after, 'method') ?? 'password')
  return sentence ? sentence(entry) : say(entry, '{who} signed in with a link from an email')
}

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
  const roles = { person, textOf: roleOf(before) ?? t('none'), textOf2: roleOf(after) ?? t('none') }
  const isGiven = after?.['system_access'] === true
  if (has(after, 'role')) {
    if (!has(after, 'system_access'))
      return say(entry, '{who} changed the role of {person} from {textOf} to {textOf2}', roles)
    return isGiven
      ? say(
          entry,
          '{who} changed the role of {person} from {textOf} to {textOf2}, and gave system access',
          roles,
        )
      : say(
          entry,
          '{who} changed the role of {person} from {textOf} to {textOf2}, and took system access',
          roles,
        )
  }
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

import type { AuditAction, AuditEntry } from '@pegasus/contracts/audit'

/** A part of a sentence; names are emphasised. */
export type Piece = string | { name: string }
export type Sentence = readonly Piece[]

type Telling = Pick<
  AuditEntry,
  'actor' | 'action' | 'entity' | 'entity_id' | 'entity_name' | 'before' | 'after'
>

const name = (text: string | null | undefined, otherwise: string): Piece =>
  text ? { name: text } : otherwise

/** `${who} signed in` as parts; empty ones are left out. */
const say = (texts: TemplateStringsArray, ...pieces: Piece[]): Sentence =>
  texts.flatMap((text, index) => [text, pieces[index] ?? '']).filter((piece) => piece !== '')

const who = ({ actor }: Telling): Piece => ({ name: actor.name })

const thing = ({ entity_name: called, entity_id: id }: Telling, otherwise: string): Piece =>
  name(called ?? id, otherwise)

/** Whether people acted on themselves. Sessions and factors are named after their owner. */
const isOwn = ({ actor, entity, entity_id: id, entity_name: called }: Telling): boolean =>
  actor.kind === 'user' &&
  actor.id !== null &&
  (entity === 'account' ? id === actor.id : called === actor.name)

const textOf = (side: AuditEntry['after'], field: string): string | null => {
  const value = side?.[field]
  return typeof value === 'string' && value !== '' ? value : null
}

const has = (side: AuditEntry['after'], field: string): boolean => side?.[field] !== undefined

/** Turns `wrong_password` into words; unknown reasons are readable without underscores. */
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unknown_name: 'nobody has that name',
    not_approved: 'the account waits for approval',
    email_not_confirmed: 'the email is not confirmed',
    deactivated: 'the account is deactivated',
  }),
)

const because = ({ after }: Telling): string => {
  const reason = textOf(after, 'reason')
  return reason === null ? '' : `: ${REASONS.get(reason) ?? reason.replaceAll('_', ' ')}`
}

/** How a session was opened, if not with a password. */
const WAYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    password: '',
    invite: ' by an invitation',
    recovery: ' by a link for a new password',
    signup: ' by signing up',
  }),
)

const wayIn = ({ after }: Telling): string =>
  WAYS.get(textOf(after, 'method') ?? 'password') ?? ' by a link from a mail'

const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    global: 'signed out everywhere',
    others: 'signed out everywhere else',
    one: 'signed out one of their sessions',
  }),
)

function sessionEnded(entry: Telling): Sentence {
  if (textOf(entry.after, 'reason') === 'refresh_token_reused')
    return say`A session of ${thing(entry, 'somebody')} was ended because two browsers used it`
  const how = ENDINGS.get(textOf(entry.after, 'scope') ?? '') ?? 'signed out'
  return say`${who(entry)} ${how}`
}

function accountUpdated(entry: Telling): Sentence {
  const { before, after } = entry
  const person = thing(entry, 'an account')
  const role = say`${who(entry)} changed the role of ${person} from ${textOf(before, 'role') ?? 'none'} to ${textOf(after, 'role') ?? 'none'}`
  const access = after?.['system_access'] === true ? 'gave' : 'took'
  if (has(after, 'role'))
    return has(after, 'system_access') ? [...role, `, and ${access} system access`] : role
  if (has(after, 'system_access'))
    return access === 'gave'
      ? say`${who(entry)} gave ${person} system access`
      : say`${who(entry)} took system access from ${person}`
  if (after?.['approved'] === false) return say`${who(entry)} took back the approval of ${person}`
  return say`${who(entry)} changed the account of ${person}`
}

function profileUpdated(entry: Telling): Sentence {
  const { before, after } = entry
  if (!isOwn(entry)) return say`${who(entry)} changed the profile of ${thing(entry, 'somebody')}`
  if (has(after, 'full_name'))
    return say`${who(entry)} changed their name from ${name(textOf(before, 'full_name'), 'none')} to ${name(textOf(after, 'full_name'), 'none')}`
  if (has(after, 'new_email'))
    return say`${who(entry)} asked to have their email changed to ${name(textOf(after, 'new_email'), 'none')}`
  return say`${who(entry)} changed their profile`
}

function accessRefused(entry: Telling): Sentence {
  if (entry.entity === 'api_key')
    return say`The API key ${thing(entry, 'of nobody')} was refused: used from an address it does not work from`
  return say`${who(entry)} was refused at ${thing(entry, 'an address')}${because(entry)}`
}

/** `${who} moved the item ${name} to the trash`. `otherwise` replaces a missing name. */
const ofThing =
  (did: string, otherwise: string, rest = '') =>
  (entry: Telling): Sentence =>
    say`${who(entry)} ${did} ${thing(entry, otherwise)}${rest === '' ? '' : ` ${rest}`}`

const own =
  (ofOwn: string, ofOther: string) =>
  (entry: Telling): Sentence =>
    isOwn(entry) ? say`${who(entry)} ${ofOwn}` : say`${who(entry)} ${ofOther} of ${thing(entry, 'somebody')}`

/** The sentence for each action. */
const WORDS: Readonly<Record<AuditAction, (entry: Telling) => Sentence>> = {
  'session.opened': (entry) => say`${who(entry)} signed in${wayIn(entry)}`,
  'session.refused': (entry) =>
    isOwn(entry)
      ? say`${who(entry)} gave a wrong password`
      : say`${who(entry)} tried to sign in${entry.entity_name === null ? '' : ' as '}${name(entry.entity_name, '')}${because(entry)}`,
  'session.ended': sessionEnded,
  'session.confirmed': (entry) =>
    textOf(entry.after, 'aal') === 'aal2'
      ? say`${who(entry)} passed the second step`
      : say`${who(entry)} confirmed who they are`,
  'account.created': (entry) => {
    const role = textOf(entry.after, 'role')
    return say`${who(entry)} made an account for ${thing(entry, 'somebody')}${role === null ? '' : ` as ${role}`}`
  },
  'account.signed_up': (entry) => say`${thing(entry, 'Somebody')} signed up`,
  'account.invited': ofThing('invited', 'somebody'),
  'account.approved': ofThing('approved', 'an account'),
  'account.updated': accountUpdated,
  'account.deactivated': (entry) =>
    entry.after?.['declined'] === true
      ? say`${who(entry)} declined the sign-up of ${thing(entry, 'somebody')}`
      : say`${who(entry)} deactivated ${thing(entry, 'an account')}`,
  'account.reactivated': ofThing('reactivated', 'an account'),
  'profile.updated': profileUpdated,
  'email.changed': (entry) =>
    say`${who(entry)} changed ${isOwn(entry) ? 'their email' : 'an email'} from ${name(textOf(entry.before, 'email'), 'none')} to ${name(textOf(entry.after, 'email'), 'none')}`,
  'password.changed': own('changed their password', 'changed the password'),
  'password.reset': ofThing('reset the password of', 'somebody'),
  'factor.enrolled': own('turned on a second factor', 'turned on a second factor'),
  'factor.removed': own('removed their second factor', 'removed the second factor'),
  'factor.refused': own('gave a wrong code', 'gave a wrong code for the second factor'),
  'recovery_codes.created': own('made new recovery codes', 'made new recovery codes'),
  'recovery_code.used': own('signed in with a recovery code', 'signed in with a recovery code'),
  'api_key.created': ofThing('created the API key', 'without a name'),
  'api_key.rotated': ofThing('rotated the API key', 'without a name'),
  'api_key.enabled': ofThing('enabled the API key', 'without a name'),
  'api_key.disabled': ofThing('disabled the API key', 'without a name'),
  'api_key.deleted': ofThing('deleted the API key', 'without a name'),
  'access.refused': accessRefused,
  'model.added': ofThing('added the model', 'without a title'),
  'model.updated': ofThing('changed the model', 'without a title'),
  'model.deleted': ofThing('moved the model', 'without a title', 'to the trash'),
  'model.restored': ofThing('restored the model', 'without a title'),
  'model.purged': (entry) =>
    say`The model ${thing(entry, 'without a title')} was removed from the trash for good`,
  'model.version_added': ofThing('added a new version of the model', 'without a title'),
  'model.version_chosen': ofThing('went back to another version of the model', 'without a title'),
  'item.created': ofThing('added the item', 'without a name'),
  'item.updated': ofThing('changed the item', 'without a name'),
  'item.deleted': ofThing('moved the item', 'without a name', 'to the trash'),
  'item.restored': ofThing('restored the item', 'without a name'),
  'items.imported': (entry) => say`${who(entry)} imported items from a table`,
  'location.created': ofThing('added the location', 'without a name'),
  'location.updated': ofThing('changed the location', 'without a name'),
  'location.deleted': ofThing('moved the location', 'without a name', 'to the trash'),
  'location.restored': ofThing('restored the location', 'without a name'),
  'cost_settings.updated': (entry) => say`${who(entry)} changed what costs are computed from`,
  'spool.added': ofThing('added the spool', 'without a number'),
  'spool.updated': ofThing('changed the spool', 'without a number'),
  'spool.deleted': ofThing('moved the spool', 'without a number', 'to the trash'),
  'spool.restored': ofThing('restored the spool', 'without a number'),
  'spool.archived': ofThing('archived the spool', 'without a number'),
  'spool.unarchived': ofThing('took the spool', 'without a number', 'out of the archive'),
  'vendor.added': ofThing('added the vendor', 'without a name'),
  'vendor.updated': ofThing('changed the vendor', 'without a name'),
  'vendor.deleted': ofThing('removed the vendor', 'without a name'),
  'filament.added': ofThing('added the filament', 'without a name'),
  'filament.updated': ofThing('changed the filament', 'without a name'),
  'filament.deleted': ofThing('removed the filament', 'without a name'),
  'order.created': ofThing('sent the order', 'without a number'),
  'order.updated': ofThing('changed the order', 'without a number'),
  'order.deleted': ofThing('moved the order', 'without a number', 'to the trash'),
  'order.restored': ofThing('restored the order', 'without a number'),
  'order.reserved': ofThing('reserved pieces for the order', 'without a number'),
  'order.released': ofThing('released pieces from the order', 'without a number'),
  'order.shipped': ofThing('shipped pieces of the order', 'without a number'),
  'order.shipment_undone': ofThing('took back a shipment of the order', 'without a number'),
  'order.returned': ofThing('took back pieces of the order', 'without a number'),
  'order.held': ofThing('put the order', 'without a number', 'on hold'),
  'order.resumed': ofThing('resumed the order', 'without a number'),
  'order.cancelled': ofThing('cancelled the order', 'without a number'),
  'order.completed': ofThing('completed the order', 'without a number'),
  'sku.mapped': ofThing('said what the SKU stands for:', 'without a name'),
  'sku.ignored': ofThing('ignored the SKU', 'without a name'),
  'sku.forgotten': ofThing('took back what the SKU stands for:', 'without a name'),
  'print_job.created': ofThing('queued the print job', 'without a number'),
  'print_job.updated': ofThing('changed the print job', 'without a number'),
  'print_job.deleted': ofThing('moved the print job', 'without a number', 'to the trash'),
  'print_job.restored': ofThing('restored the print job', 'without a number'),
  'print_job.started': ofThing('started the print job', 'without a number'),
  'print_job.claimed': ofThing('claimed the print job', 'without a number'),
  'print_job.completed': ofThing('finished the print job', 'without a number'),
  'print_job.failed': ofThing('failed at the print job', 'without a number'),
  'print_job.cancelled': ofThing('cancelled the print job', 'without a number'),
  'print_job.held': ofThing('put the print job', 'without a number', 'on hold'),
  'print_job.requeued': ofThing('queued the print job', 'without a number', 'again'),
  'print_job.returned': ofThing('put back the print job', 'without a number'),
  'product.added': ofThing('added the product', 'without a name'),
  'product.updated': ofThing('changed the product', 'without a name'),
  'product.deleted': ofThing('moved the product', 'without a name', 'to the trash'),
  'product.restored': ofThing('restored the product', 'without a name'),
  'product.published': ofThing('published the product', 'without a name'),
  'product.publication_failed': (entry) =>
    say`${who(entry)} could not publish the product ${thing(entry, 'without a name')}${because(entry)}`,
  'product.license_overridden': (entry) =>
    say`${who(entry)} allowed selling ${thing(entry, 'a product')} against its license${because(entry)}`,
  'media.stored': ofThing('stored the media file', 'without a name'),
  'media.moved': (entry) =>
    say`${who(entry)} moved the media file ${name(textOf(entry.before, 'name'), 'without a name')} to ${thing(entry, 'another name')}`,
  'media.deleted': ofThing('removed the media file', 'without a name'),
  'audit.exported': (entry) => say`${who(entry)} exported the audit`,
  'outbox.read': (entry) => say`${who(entry)} read mails in the outbox`,
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(WORDS, action)

/** The sentence of an entry. A newer server may have recorded actions unknown to this page. */
export function describeEntry(entry: Telling): Sentence {
  if (isKnown(entry.action)) return WORDS[entry.action](entry)
  return say`${who(entry)}: ${entry.action.replaceAll(/[._]/g, ' ')}, ${thing(entry, 'nothing named')}`
}

import type { AuditAction, AuditEntry } from '@pegasus/contracts/audit'

/** A part of a sentence. Names are emphasized. */
export type Piece = string | { name: string }
export type Sentence = readonly Piece[]

type AuditedChange = Pick<
  AuditEntry,
  'actor' | 'action' | 'entity' | 'entity_id' | 'entity_name' | 'before' | 'after'
>

const name = (text: string | null | undefined, otherwise: string): Piece =>
  text ? { name: text } : otherwise

/** Splits a template such as `${who} signed in` into parts, without empty ones. */
const say = (texts: TemplateStringsArray, ...pieces: Piece[]): Sentence =>
  texts.flatMap((text, index) => [text, pieces[index] ?? '']).filter((piece) => piece !== '')

const who = ({ actor }: AuditedChange): Piece => ({ name: actor.name })

/** Returns the name of the entity. A media file is named without its bucket and folders. */
const entityName = (
  { entity, entity_name: called, entity_id: id }: AuditedChange,
  otherwise: string,
): Piece => name(entity === 'media' ? called?.split('/').at(-1) : (called ?? id), otherwise)

/**
 * Returns whether a person has changed their own account. Entries about sessions and factors identify the account by
 * its name instead of its id.
 */
const isOwn = ({ actor, entity, entity_id: id, entity_name: called }: AuditedChange): boolean =>
  actor.kind === 'user' &&
  actor.id !== null &&
  (entity === 'account' ? id === actor.id : called === actor.name)

const textOf = (side: AuditEntry['after'], field: string): string | null => {
  const value = side?.[field]
  return typeof value === 'string' && value !== '' ? value : null
}

const has = (side: AuditEntry['after'], field: string): boolean => side?.[field] !== undefined

/** Maps reasons such as `wrong_password` to words. An unknown reason is shown without its underscores. */
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unknown_name: 'no account has this name',
    not_approved: 'the account waits for approval',
    email_not_confirmed: 'the email is not confirmed',
    deactivated: 'the account is deactivated',
  }),
)

const reasonSuffix = ({ after }: AuditedChange): string => {
  const reason = textOf(after, 'reason')
  return reason === null ? '' : `: ${REASONS.get(reason) ?? reason.replaceAll('_', ' ')}`
}

/** Describes how a session was opened. Signing in with a password is not mentioned. */
const WAYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    password: '',
    invite: ' with an invitation',
    recovery: ' with a link for a new password',
    signup: ' by signing up',
    anonymous: ' without a name',
    oauth: ' through another provider',
    web3: ' with a wallet',
  }),
)

const signInMethod = ({ after }: AuditedChange): string =>
  WAYS.get(textOf(after, 'method') ?? 'password') ?? ' with a link from an email'

const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    global: 'signed out everywhere',
    others: 'signed out everywhere else',
    one: 'signed out one of their sessions',
  }),
)

function sessionEnded(entry: AuditedChange): Sentence {
  if (textOf(entry.after, 'reason') === 'refresh_token_reused')
    return say`A session of ${entityName(entry, 'somebody')} was ended because two browsers used it`
  const how = ENDINGS.get(textOf(entry.after, 'scope') ?? '') ?? 'signed out'
  return say`${who(entry)} ${how}`
}

function accountUpdated(entry: AuditedChange): Sentence {
  const { before, after } = entry
  const person = entityName(entry, 'an account')
  const role = say`${who(entry)} changed the role of ${person} from ${textOf(before, 'role') ?? 'none'} to ${textOf(after, 'role') ?? 'none'}`
  const access = after?.['system_access'] === true ? 'gave' : 'took'
  if (has(after, 'role'))
    return has(after, 'system_access') ? [...role, `, and ${access} system access`] : role
  if (has(after, 'system_access'))
    return access === 'gave'
      ? say`${who(entry)} gave ${person} system access`
      : say`${who(entry)} removed system access from ${person}`
  if (after?.['approved'] === false) return say`${who(entry)} withdrew the approval of ${person}`
  return say`${who(entry)} changed the account of ${person}`
}

function profileUpdated(entry: AuditedChange): Sentence {
  const { before, after } = entry
  if (!isOwn(entry)) return say`${who(entry)} changed the profile of ${entityName(entry, 'somebody')}`
  if (has(after, 'full_name'))
    return say`${who(entry)} changed their name from ${name(textOf(before, 'full_name'), 'none')} to ${name(textOf(after, 'full_name'), 'none')}`
  if (has(after, 'new_email'))
    return say`${who(entry)} requested a change of their email to ${name(textOf(after, 'new_email'), 'none')}`
  return say`${who(entry)} changed their profile`
}

function accessRefused(entry: AuditedChange): Sentence {
  if (entry.entity === 'api_key')
    return say`The API key ${entityName(entry, 'of nobody')} was refused: used from an address that is not allowed`
  return say`${who(entry)} was refused at ${entityName(entry, 'an address')}${reasonSuffix(entry)}`
}

/** Makes a sentence such as `${who} moved the item ${name} to the trash`. `otherwise` replaces a missing name. */
const changeOf =
  (did: string, otherwise: string, rest = '') =>
  (entry: AuditedChange): Sentence =>
    say`${who(entry)} ${did} ${entityName(entry, otherwise)}${rest === '' ? '' : ` ${rest}`}`

function identityChanged(entry: AuditedChange, did: string, preposition: string): Sentence {
  const provider = textOf(entry.after ?? entry.before, 'provider') ?? 'a provider'
  const what = say`${who(entry)} ${did} a sign-in with ${provider} ${preposition}`
  return isOwn(entry)
    ? [...what, ' their account']
    : [...what, ' the account of ', entityName(entry, 'somebody')]
}

const own =
  (ofOwn: string, ofOther: string) =>
  (entry: AuditedChange): Sentence =>
    isOwn(entry)
      ? say`${who(entry)} ${ofOwn}`
      : say`${who(entry)} ${ofOther} of ${entityName(entry, 'somebody')}`

/** For each action, the function that makes its sentence. */
const WORDS: Readonly<Record<AuditAction, (entry: AuditedChange) => Sentence>> = {
  'session.opened': (entry) => say`${who(entry)} signed in${signInMethod(entry)}`,
  'session.refused': (entry) =>
    isOwn(entry)
      ? say`${who(entry)} entered a wrong password`
      : say`${who(entry)} tried to sign in${entry.entity_name === null ? '' : ' as '}${name(entry.entity_name, '')}${reasonSuffix(entry)}`,
  'session.ended': sessionEnded,
  'session.confirmed': (entry) =>
    textOf(entry.after, 'aal') === 'aal2'
      ? say`${who(entry)} passed the second step`
      : say`${who(entry)} confirmed their identity`,
  'account.created': (entry) => {
    const role = textOf(entry.after, 'role')
    return say`${who(entry)} created an account for ${entityName(entry, 'somebody')}${role === null ? '' : ` as ${role}`}`
  },
  'account.signed_up': (entry) => say`${entityName(entry, 'Somebody')} signed up`,
  'account.invited': changeOf('invited', 'somebody'),
  'account.approved': changeOf('approved', 'an account'),
  'account.updated': accountUpdated,
  'account.deactivated': (entry) =>
    entry.after?.['declined'] === true
      ? say`${who(entry)} declined the sign-up of ${entityName(entry, 'somebody')}`
      : say`${who(entry)} deactivated ${entityName(entry, 'an account')}`,
  'account.reactivated': changeOf('reactivated', 'an account'),
  'account.deleted': changeOf('deleted the account of', 'somebody'),
  'account.link_issued': (entry) =>
    say`${who(entry)} generated a link for ${entityName(entry, 'somebody')}${textOf(entry.after, 'type') === null ? '' : ` (${textOf(entry.after, 'type')})`}`,
  'profile.updated': profileUpdated,
  'email.changed': (entry) =>
    say`${who(entry)} changed ${isOwn(entry) ? 'their email' : 'an email'} from ${name(textOf(entry.before, 'email'), 'none')} to ${name(textOf(entry.after, 'email'), 'none')}`,
  'phone.changed': (entry) =>
    say`${who(entry)} changed ${isOwn(entry) ? 'their phone number' : 'a phone number'} from ${name(textOf(entry.before, 'phone'), 'none')} to ${name(textOf(entry.after, 'phone'), 'none')}`,
  'password.changed': own('changed their password', 'changed the password'),
  'password.reset': changeOf('reset the password of', 'somebody'),
  'identity.linked': (entry) => identityChanged(entry, 'linked', 'to'),
  'identity.unlinked': (entry) => identityChanged(entry, 'unlinked', 'from'),
  'passkey.added': own('added a passkey', 'added a passkey'),
  'passkey.removed': own('removed their passkey', 'removed the passkey'),
  'factor.enrolled': own('turned on a second factor', 'turned on a second factor'),
  'factor.removed': own('removed their second factor', 'removed the second factor'),
  'factor.refused': own('entered a wrong code', 'entered a wrong code for the second factor'),
  'recovery_codes.created': own('created new recovery codes', 'created new recovery codes'),
  'recovery_code.used': own('signed in with a recovery code', 'signed in with a recovery code'),
  'api_key.created': changeOf('created the API key', 'without a name'),
  'api_key.rotated': changeOf('rotated the API key', 'without a name'),
  'api_key.enabled': changeOf('enabled the API key', 'without a name'),
  'api_key.disabled': changeOf('disabled the API key', 'without a name'),
  'api_key.deleted': changeOf('deleted the API key', 'without a name'),
  'backup.started': (entry) => say`${who(entry)} started a backup`,
  'backup_schedule.updated': (entry) => say`${who(entry)} changed the backup schedule`,
  'support_bundle.made': (entry) => say`${who(entry)} downloaded a support bundle`,
  'channel.created': changeOf('added the channel', 'without a name'),
  'channel.updated': changeOf('changed the channel', 'without a name'),
  'channel.key_rotated': changeOf('replaced the key of the channel', 'without a name'),
  'channel.tested': changeOf('sent a test to the channel', 'without a name'),
  'channel.replayed': changeOf('resent deliveries to the channel', 'without a name'),
  'channel.deleted': changeOf('deleted the channel', 'without a name'),
  'push_device.added': changeOf('turned on notifications on', 'a device'),
  'push_device.removed': changeOf('turned off notifications on', 'a device'),
  'sign_in_rules.updated': (entry) => say`${who(entry)} changed the roles that need a second factor`,
  'signing_key.rotated': (entry) => say`${who(entry)} published a new key for signing access tokens`,
  'service_key.created': changeOf('created the service key', 'without a name'),
  'service_key.rotated': changeOf('rotated the service key', 'without a name'),
  'service_key.revoked': changeOf('revoked the service key', 'without a name'),
  'service_key.used': (entry) =>
    say`The service key ${who(entry)} was used at ${name(textOf(entry.after, 'endpoint'), 'an address')}`,
  'sso_provider.added': changeOf('added the SSO provider', 'without a name'),
  'sso_provider.updated': changeOf('changed the SSO provider', 'without a name'),
  'sso_provider.removed': changeOf('removed the SSO provider', 'without a name'),
  'oauth_client.registered': changeOf('registered the OAuth client', 'without a name'),
  'oauth_client.updated': changeOf('changed the OAuth client', 'without a name'),
  'oauth_client.secret_replaced': changeOf('replaced the secret of the OAuth client', 'without a name'),
  'oauth_client.removed': changeOf('removed the OAuth client', 'without a name'),
  'access.refused': accessRefused,
  'model.added': changeOf('added the model', 'without a title'),
  'model.updated': changeOf('changed the model', 'without a title'),
  'model.deleted': changeOf('moved the model', 'without a title', 'to the trash'),
  'model.restored': changeOf('restored the model', 'without a title'),
  'model.purged': (entry) =>
    say`The model ${entityName(entry, 'without a title')} was removed from the trash for good`,
  'model.version_added': changeOf('added a new version of the model', 'without a title'),
  'model.version_chosen': changeOf('made another version current for the model', 'without a title'),
  'model.slicing_started': changeOf('started slicing the model', 'without a title'),
  'model.slicing_cancelled': changeOf('cancelled slicing the model', 'without a title'),
  'slice.added': changeOf('added the sliced file', 'without a name'),
  'slice.updated': changeOf('changed the sliced file', 'without a name'),
  'slice.deleted': changeOf('moved the sliced file', 'without a name', 'to the trash'),
  'slice.restored': changeOf('restored the sliced file', 'without a name'),
  'slicer_profile.created': changeOf('added the slicer profile', 'without a name'),
  'slicer_profile.updated': changeOf('changed the slicer profile', 'without a name'),
  'slicer_profile.deleted': changeOf('moved the slicer profile', 'without a name', 'to the trash'),
  'slicer_profile.restored': changeOf('restored the slicer profile', 'without a name'),
  'item.created': changeOf('added the item', 'without a name'),
  'item.updated': changeOf('changed the item', 'without a name'),
  'item.deleted': changeOf('moved the item', 'without a name', 'to the trash'),
  'item.restored': changeOf('restored the item', 'without a name'),
  'items.imported': (entry) => say`${who(entry)} imported items from a table`,
  'location.created': changeOf('added the location', 'without a name'),
  'location.updated': changeOf('changed the location', 'without a name'),
  'location.deleted': changeOf('moved the location', 'without a name', 'to the trash'),
  'location.restored': changeOf('restored the location', 'without a name'),
  'cost_settings.updated': (entry) => say`${who(entry)} changed the cost settings`,
  'spool.added': changeOf('added the spool', 'without a number'),
  'spool.updated': changeOf('changed the spool', 'without a number'),
  'spool.deleted': changeOf('moved the spool', 'without a number', 'to the trash'),
  'spool.restored': changeOf('restored the spool', 'without a number'),
  'spool.archived': changeOf('archived the spool', 'without a number'),
  'spool.unarchived': changeOf('took the spool', 'without a number', 'out of the archive'),
  'vendor.added': changeOf('added the vendor', 'without a name'),
  'vendor.updated': changeOf('changed the vendor', 'without a name'),
  'vendor.deleted': changeOf('removed the vendor', 'without a name'),
  'filament.added': changeOf('added the filament', 'without a name'),
  'filament.updated': changeOf('changed the filament', 'without a name'),
  'filament.deleted': changeOf('removed the filament', 'without a name'),
  'extra_field.added': changeOf('added the extra field', 'without a name'),
  'extra_field.updated': changeOf('changed the extra field', 'without a name'),
  'extra_field.removed': changeOf('removed the extra field', 'without a name', 'with its values'),
  'order.created': changeOf('sent the order', 'without a number'),
  'order.updated': changeOf('changed the order', 'without a number'),
  'order.deleted': changeOf('moved the order', 'without a number', 'to the trash'),
  'order.restored': changeOf('restored the order', 'without a number'),
  'order.reserved': changeOf('reserved pieces for the order', 'without a number'),
  'order.released': changeOf('released pieces from the order', 'without a number'),
  'order.shipped': changeOf('shipped pieces of the order', 'without a number'),
  'order.tracking_changed': changeOf('changed the tracking of a shipment of the order', 'without a number'),
  'order.shipment_undone': changeOf('undid a shipment of the order', 'without a number'),
  'order.returned': changeOf('accepted returned pieces of the order', 'without a number'),
  'order.held': changeOf('put the order', 'without a number', 'on hold'),
  'order.resumed': changeOf('resumed the order', 'without a number'),
  'order.cancelled': changeOf('cancelled the order', 'without a number'),
  'order.completed': changeOf('completed the order', 'without a number'),
  'sku.mapped': changeOf('mapped the SKU', 'without a name'),
  'order.refusal_dismissed': changeOf('dismissed the refused order', 'without a number'),
  'sku.ignored': changeOf('ignored the SKU', 'without a name'),
  'sku.forgotten': changeOf('removed the mapping of the SKU', 'without a name'),
  'print_job.created': changeOf('queued the print job', 'without a number'),
  'print_job.updated': changeOf('changed the print job', 'without a number'),
  'print_job.deleted': changeOf('moved the print job', 'without a number', 'to the trash'),
  'print_job.restored': changeOf('restored the print job', 'without a number'),
  'print_job.started': changeOf('started the print job', 'without a number'),
  'print_job.claimed': changeOf('claimed the print job', 'without a number'),
  'print_job.completed': changeOf('finished the print job', 'without a number'),
  'print_job.completion_undone': changeOf('undid a completion of the print job', 'without a number'),
  'print_job.failed': changeOf('reported a failure of the print job', 'without a number'),
  'print_job.cancelled': changeOf('cancelled the print job', 'without a number'),
  'print_job.paused': changeOf('paused the print job', 'without a number'),
  'print_job.resumed': changeOf('resumed the print job', 'without a number'),
  'print_job.held': changeOf('put the print job', 'without a number', 'on hold'),
  'print_job.requeued': changeOf('queued the print job', 'without a number', 'again'),
  'print_job.split': changeOf('split the print job', 'without a number'),
  'print_job.merged': changeOf('merged the print job', 'without a number'),
  'print_job.returned': changeOf('requeued the print job', 'without a number'),
  'print_job.assigned': (entry) =>
    say`${who(entry)} assigned the print job ${entityName(entry, 'without a number')} to ${name(textOf(entry.after, 'printer'), 'any printer')}`,
  'print_job.assigned_anyway': (entry) =>
    say`${who(entry)} assigned the print job ${entityName(entry, 'without a number')} to ${name(textOf(entry.after, 'printer'), 'a printer')}, which does not fit${reasonSuffix(entry)}`,
  'replenishment.dismissed': (entry) =>
    say`${who(entry)} dismissed the proposal to print ${entityName(entry, 'an item')}`,
  'replenishment.restored': (entry) =>
    say`${who(entry)} restored the proposal to print ${entityName(entry, 'an item')}`,
  'replenishment_schedule.updated': (entry) => say`${who(entry)} changed the time of the nightly proposals`,
  'printer.added': changeOf('added the printer', 'without a name'),
  'printer.updated': changeOf('changed the printer', 'without a name'),
  'printer.deleted': changeOf('moved the printer', 'without a name', 'to the trash'),
  'printer.restored': changeOf('restored the printer', 'without a name'),
  'printer.cleared': changeOf('cleared the plate of', 'a printer'),
  'printer.maintenance_started': (entry) =>
    say`${who(entry)} took ${entityName(entry, 'a printer')} out of use for maintenance${reasonSuffix(entry)}`,
  'printer.resumed': changeOf('put the printer', 'without a name', 'back into use'),
  'printer.maintenance_planned': changeOf('planned maintenance of the printer', 'without a name'),
  'printer.maintenance_unplanned': changeOf('ended a maintenance plan of the printer', 'without a name'),
  'printer.serviced': (entry) =>
    say`${who(entry)} serviced ${entityName(entry, 'a printer')}${reasonSuffix(entry)}`,
  'printer.photo_added': changeOf('added a photo of the printer', 'without a name'),
  'printer.photo_removed': changeOf('removed the photo of the printer', 'without a name'),
  'printer.loaded': changeOf('changed the loaded filament of', 'a printer'),
  'product.added': changeOf('added the product', 'without a name'),
  'product.updated': changeOf('changed the product', 'without a name'),
  'product.deleted': changeOf('moved the product', 'without a name', 'to the trash'),
  'product.restored': changeOf('restored the product', 'without a name'),
  'product.published': changeOf('published the product', 'without a name'),
  'product.publication_failed': (entry) =>
    say`${who(entry)} could not publish the product ${entityName(entry, 'without a name')}${reasonSuffix(entry)}`,
  'product.license_overridden': (entry) =>
    say`${who(entry)} allowed selling ${entityName(entry, 'a product')} against its license${reasonSuffix(entry)}`,
  'media.stored': changeOf('stored the media file', 'without a name'),
  'media.moved': (entry) =>
    say`${who(entry)} moved the media file ${name(textOf(entry.before, 'name')?.split('/').at(-1), 'without a name')} to ${entityName(entry, 'another name')}`,
  'media.deleted': changeOf('removed the media file', 'without a name'),
  'bucket.created': changeOf('created the bucket', 'without a name'),
  'bucket.updated': changeOf('changed the bucket', 'without a name'),
  'bucket.emptied': changeOf('emptied the bucket', 'without a name'),
  'bucket.deleted': changeOf('deleted the bucket', 'without a name'),
  'audit.exported': (entry) => say`${who(entry)} exported the audit`,
  'outbox.read': (entry) => say`${who(entry)} read emails in the outbox`,
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(WORDS, action)

/**
 * Returns the sentence for an entry. An action that this page does not know, because the server is newer, gets a
 * general sentence.
 */
export function describeEntry(entry: AuditedChange): Sentence {
  if (isKnown(entry.action)) return WORDS[entry.action](entry)
  return say`${who(entry)}: ${entry.action.replaceAll(/[._]/g, ' ')}, ${entityName(entry, 'an unnamed object')}`
}

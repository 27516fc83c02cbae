import type { AuditAction } from '@pegasus/contracts/audit'
import { t } from '@/lib/i18n/messages.ts'
import { accountUpdated, profileUpdated, roleOf, sessionEnded, sessionOpened } from './account-sentences.ts'
import {
  type AuditedChange,
  entityName,
  isOwn,
  name,
  reasonSuffix,
  say,
  type Sentence,
  textOf,
} from './sentence-parts.ts'

function accessRefused(entry: AuditedChange): Sentence {
  if (entry.entity === 'api_key')
    return say(entry, 'The API key {entityName} was refused: used from an address that is not allowed', {
      entityName: entityName(entry, t('of nobody')),
    })
  return say(entry, '{who} was refused at {entityName}{reasonSuffix}', {
    entityName: entityName(entry, t('an address')),
    reasonSuffix: reasonSuffix(entry),
  })
}

/** Makes a sentence such as `${who} moved the item ${name} to the trash`. `otherwise` replaces a missing name. */
const changeOf =
  (did: string, otherwise: string, rest = '') =>
  (entry: AuditedChange): Sentence =>
    say(entry, '{who} {did} {entityName}{rest}', {
      did,
      entityName: entityName(entry, otherwise),
      rest: rest === '' ? '' : ` ${rest}`,
    })

const providerOf = ({ before, after }: AuditedChange): string =>
  textOf(after ?? before, 'provider') ?? t('a provider')

/** For each action, the function that makes its sentence. */
const WORDS: Readonly<Record<AuditAction, (entry: AuditedChange) => Sentence>> = {
  'session.opened': sessionOpened,
  'session.refused': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} entered a wrong password')
      : entry.entity_name
        ? say(entry, '{who} tried to sign in as {name}{reasonSuffix}', {
            name: name(entry.entity_name, ''),
            reasonSuffix: reasonSuffix(entry),
          })
        : say(entry, '{who} tried to sign in{reasonSuffix}', { reasonSuffix: reasonSuffix(entry) }),
  'session.ended': sessionEnded,
  'session.confirmed': (entry) =>
    textOf(entry.after, 'aal') === 'aal2'
      ? say(entry, '{who} passed the second step')
      : say(entry, '{who} confirmed their identity'),
  'account.created': (entry) => {
    const role = roleOf(entry.after)
    const name = entityName(entry, t('somebody'))
    return role === null
      ? say(entry, '{who} created an account for {entityName}', { entityName: name })
      : say(entry, '{who} created an account for {entityName} as {role}', { entityName: name, role })
  },
  'account.signed_up': (entry) =>
    say(entry, '{entityName} signed up', { entityName: entityName(entry, t('Somebody')) }),
  'account.invited': (entry) =>
    say(entry, '{who} invited {entityName}', {
      entityName: entityName(entry, t('somebody')),
    }),
  'account.approved': (entry) =>
    say(entry, '{who} approved {entityName}', {
      entityName: entityName(entry, t('an account')),
    }),
  'account.updated': accountUpdated,
  'account.deactivated': (entry) =>
    entry.after?.['declined'] === true
      ? say(entry, '{who} declined the sign-up of {entityName}', {
          entityName: entityName(entry, t('somebody')),
        })
      : say(entry, '{who} deactivated {entityName}', {
          entityName: entityName(entry, t('an account')),
        }),
  'account.reactivated': (entry) =>
    say(entry, '{who} reactivated {entityName}', {
      entityName: entityName(entry, t('an account')),
    }),
  'account.deleted': changeOf(t('deleted the account of'), t('somebody')),
  'account.link_issued': (entry) =>
    say(entry, '{who} generated a link for {entityName}{textOf}', {
      entityName: entityName(entry, t('somebody')),
      textOf: textOf(entry.after, 'type') === null ? '' : ` (${textOf(entry.after, 'type')})`,
    }),
  'profile.updated': profileUpdated,
  'email.changed': (entry) =>
    say(entry, '{who} changed {own} from {name} to {name2}', {
      own: isOwn(entry) ? t('their email') : t('an email'),
      name: name(textOf(entry.before, 'email'), t('none')),
      name2: name(textOf(entry.after, 'email'), t('none')),
    }),
  'phone.changed': (entry) =>
    say(entry, '{who} changed {own} from {name} to {name2}', {
      own: isOwn(entry) ? t('their phone number') : t('a phone number'),
      name: name(textOf(entry.before, 'phone'), t('none')),
      name2: name(textOf(entry.after, 'phone'), t('none')),
    }),
  'password.changed': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} changed their password')
      : say(entry, '{who} changed the password of {entityName}', {
          entityName: entityName(entry, t('somebody')),
        }),
  'password.reset': changeOf(t('reset the password of'), t('somebody')),
  'identity.linked': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} linked a sign-in with {provider} to their account', {
          provider: providerOf(entry),
        })
      : say(entry, '{who} linked a sign-in with {provider} to the account of {entityName}', {
          provider: providerOf(entry),
          entityName: entityName(entry, t('somebody')),
        }),
  'identity.unlinked': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} unlinked a sign-in with {provider} from their account', {
          provider: providerOf(entry),
        })
      : say(entry, '{who} unlinked a sign-in with {provider} from the account of {entityName}', {
          provider: providerOf(entry),
          entityName: entityName(entry, t('somebody')),
        }),
  'passkey.added': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} added a passkey')
      : say(entry, '{who} added a passkey of {entityName}', {
          entityName: entityName(entry, t('somebody')),
        }),
  'passkey.removed': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} removed their passkey')
      : say(entry, '{who} removed the passkey of {entityName}', {
          entityName: entityName(entry, t('somebody')),
        }),
  'factor.enrolled': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} turned on a second factor')
      : say(entry, '{who} turned on a second factor of {entityName}', {
          entityName: entityName(entry, t('somebody')),
        }),
  'factor.removed': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} removed their second factor')
      : say(entry, '{who} removed the second factor of {entityName}', {
          entityName: entityName(entry, t('somebody')),
        }),
  'factor.refused': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} entered a wrong code')
      : say(entry, '{who} entered a wrong code for the second factor of {entityName}', {
          entityName: entityName(entry, t('somebody')),
        }),
  'recovery_codes.created': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} created new recovery codes')
      : say(entry, '{who} created new recovery codes of {entityName}', {
          entityName: entityName(entry, t('somebody')),
        }),
  'recovery_code.used': (entry) =>
    isOwn(entry)
      ? say(entry, '{who} signed in with a recovery code')
      : say(entry, '{who} signed in with a recovery code of {entityName}', {
          entityName: entityName(entry, t('somebody')),
        }),
  'api_key.created': changeOf(t('created the API key'), t('without a name')),
  'api_key.rotated': changeOf(t('rotated the API key'), t('without a name')),
  'api_key.enabled': changeOf(t('enabled the API key'), t('without a name')),
  'api_key.disabled': changeOf(t('disabled the API key'), t('without a name')),
  'api_key.deleted': changeOf(t('deleted the API key'), t('without a name')),
  'backup.started': (entry) => say(entry, '{who} started a backup'),
  'backup_schedule.updated': (entry) => say(entry, '{who} changed the backup schedule'),
  'support_bundle.made': (entry) => say(entry, '{who} downloaded a support bundle'),
  'demo.made': (entry) => say(entry, '{who} made a demo'),
  'demo.removed': (entry) => say(entry, '{who} removed the demo'),
  'task.retried': (entry) => say(entry, '{who} tried a failed task again'),
  'task.dismissed': (entry) => say(entry, '{who} removed a failed task from the list'),
  'channel.created': changeOf(t('added the channel'), t('without a name')),
  'channel.updated': changeOf(t('changed the channel'), t('without a name')),
  'channel.key_rotated': changeOf(t('replaced the key of the channel'), t('without a name')),
  'channel.tested': changeOf(t('sent a test to the channel'), t('without a name')),
  'channel.replayed': changeOf(t('resent deliveries to the channel'), t('without a name')),
  'channel.deleted': changeOf(t('deleted the channel'), t('without a name')),
  'push_device.added': changeOf(t('turned on notifications on'), t('a device')),
  'push_device.removed': changeOf(t('turned off notifications on'), t('a device')),
  'sign_in_rules.updated': (entry) => say(entry, '{who} changed the roles that need a second factor'),
  'signing_key.rotated': (entry) => say(entry, '{who} published a new key for signing access tokens'),
  'service_key.created': changeOf(t('created the service key'), t('without a name')),
  'service_key.rotated': changeOf(t('rotated the service key'), t('without a name')),
  'service_key.revoked': changeOf(t('revoked the service key'), t('without a name')),
  'service_key.used': (entry) =>
    say(entry, 'The service key {who} was used at {name}', {
      name: name(textOf(entry.after, 'endpoint'), t('an address')),
    }),
  'sso_provider.added': changeOf(t('added the SSO provider'), t('without a name')),
  'sso_provider.updated': changeOf(t('changed the SSO provider'), t('without a name')),
  'sso_provider.removed': changeOf(t('removed the SSO provider'), t('without a name')),
  'oauth_client.registered': changeOf(t('registered the OAuth client'), t('without a name')),
  'oauth_client.updated': changeOf(t('changed the OAuth client'), t('without a name')),
  'oauth_client.secret_replaced': changeOf(t('replaced the secret of the OAuth client'), t('without a name')),
  'oauth_client.removed': changeOf(t('removed the OAuth client'), t('without a name')),
  'access.refused': accessRefused,
  'malware.refused': (entry) =>
    say(entry, 'The malware scanner found {entityName} in a file of {who}', {
      entityName: entityName(entry, t('something')),
    }),
  'model.added': changeOf(t('added the model'), t('without a title')),
  'model.updated': changeOf(t('changed the model'), t('without a title')),
  'model.deleted': changeOf(t('moved the model'), t('without a title'), t('to the trash')),
  'model.restored': changeOf(t('restored the model'), t('without a title')),
  'model.purged': (entry) =>
    say(entry, 'The model {entityName} was removed from the trash for good', {
      entityName: entityName(entry, t('without a title')),
    }),
  'model.version_added': changeOf(t('added a new version of the model'), t('without a title')),
  'model.version_chosen': changeOf(t('made another version current for the model'), t('without a title')),
  'model.slicing_started': changeOf(t('started slicing the model'), t('without a title')),
  'model.slicing_cancelled': changeOf(t('cancelled slicing the model'), t('without a title')),
  'slice.added': changeOf(t('added the sliced file'), t('without a name')),
  'slice.updated': changeOf(t('changed the sliced file'), t('without a name')),
  'slice.deleted': changeOf(t('moved the sliced file'), t('without a name'), t('to the trash')),
  'slice.restored': changeOf(t('restored the sliced file'), t('without a name')),
  'slicer_profile.created': changeOf(t('added the slicer profile'), t('without a name')),
  'slicer_profile.updated': changeOf(t('changed the slicer profile'), t('without a name')),
  'slicer_profile.deleted': changeOf(t('moved the slicer profile'), t('without a name'), t('to the trash')),
  'slicer_profile.restored': changeOf(t('restored the slicer profile'), t('without a name')),
  'item.created': changeOf(t('added the item'), t('without a name')),
  'item.updated': changeOf(t('changed the item'), t('without a name')),
  'item.deleted': changeOf(t('moved the item'), t('without a name'), t('to the trash')),
  'item.restored': changeOf(t('restored the item'), t('without a name')),
  'items.imported': (entry) => say(entry, '{who} imported items from a table'),
  'location.created': changeOf(t('added the location'), t('without a name')),
  'location.updated': changeOf(t('changed the location'), t('without a name')),
  'location.deleted': changeOf(t('moved the location'), t('without a name'), t('to the trash')),
  'location.restored': changeOf(t('restored the location'), t('without a name')),
  'cost_settings.updated': (entry) => say(entry, '{who} changed the cost settings'),
  'spool.added': changeOf(t('added the spool'), t('without a number')),
  'spool.updated': changeOf(t('changed the spool'), t('without a number')),
  'spool.deleted': changeOf(t('moved the spool'), t('without a number'), t('to the trash')),
  'spool.restored': changeOf(t('restored the spool'), t('without a number')),
  'spool.archived': changeOf(t('archived the spool'), t('without a number')),
  'spool.unarchived': changeOf(t('took the spool'), t('without a number'), t('out of the archive')),
  'vendor.added': changeOf(t('added the vendor'), t('without a name')),
  'vendor.updated': changeOf(t('changed the vendor'), t('without a name')),
  'vendor.deleted': changeOf(t('removed the vendor'), t('without a name')),
  'filament.added': changeOf(t('added the filament'), t('without a name')),
  'filament.updated': changeOf(t('changed the filament'), t('without a name')),
  'filament.deleted': changeOf(t('removed the filament'), t('without a name')),
  'extra_field.added': changeOf(t('added the extra field'), t('without a name')),
  'extra_field.updated': changeOf(t('changed the extra field'), t('without a name')),
  'extra_field.removed': changeOf(t('removed the extra field'), t('without a name'), t('with its values')),
  'order.created': changeOf(t('sent the order'), t('without a number')),
  'order.updated': changeOf(t('changed the order'), t('without a number')),
  'order.deleted': changeOf(t('moved the order'), t('without a number'), t('to the trash')),
  'order.restored': changeOf(t('restored the order'), t('without a number')),
  'order.reserved': changeOf(t('reserved pieces for the order'), t('without a number')),
  'order.prints_queued': changeOf(t('queued prints for the order'), t('without a number')),
  'order.released': changeOf(t('released pieces from the order'), t('without a number')),
  'order.shipped': changeOf(t('shipped pieces of the order'), t('without a number')),
  'order.tracking_changed': changeOf(
    t('changed the tracking of a shipment of the order'),
    t('without a number'),
  ),
  'order.postage_changed': changeOf(
    t('changed the postage of a shipment of the order'),
    t('without a number'),
  ),
  'order.shipment_undone': changeOf(t('undid a shipment of the order'), t('without a number')),
  'order.returned': changeOf(t('accepted returned pieces of the order'), t('without a number')),
  'order.return_undone': changeOf(t('undid a return of the order'), t('without a number')),
  'order.held': changeOf(t('put the order'), t('without a number'), t('on hold')),
  'order.resumed': changeOf(t('resumed the order'), t('without a number')),
  'order.cancelled': changeOf(t('cancelled the order'), t('without a number')),
  'order.completed': changeOf(t('completed the order'), t('without a number')),
  'order.reopened': changeOf(t('reopened the order'), t('without a number')),
  'order.sku_mapped': changeOf(t('mapped an SKU of the order'), t('without a number')),
  'order.sku_ignored': changeOf(t('ignored an SKU of the order'), t('without a number')),
  'order.sku_forgotten': changeOf(t('removed the mapping of an SKU of the order'), t('without a number')),
  'sku.mapped': changeOf(t('mapped the SKU'), t('without a name')),
  'order.refusal_dismissed': changeOf(t('dismissed the refused order'), t('without a number')),
  'sku.ignored': changeOf(t('ignored the SKU'), t('without a name')),
  'sku.forgotten': changeOf(t('removed the mapping of the SKU'), t('without a name')),
  'print_job.created': changeOf(t('queued the print job'), t('without a number')),
  'print_job.updated': changeOf(t('changed the print job'), t('without a number')),
  'print_job.deleted': changeOf(t('moved the print job'), t('without a number'), t('to the trash')),
  'print_job.restored': changeOf(t('restored the print job'), t('without a number')),
  'print_job.started': changeOf(t('started the print job'), t('without a number')),
  'print_job.claimed': changeOf(t('claimed the print job'), t('without a number')),
  'print_job.completed': changeOf(t('finished the print job'), t('without a number')),
  'print_job.completion_undone': changeOf(t('undid a completion of the print job'), t('without a number')),
  'print_job.failed': changeOf(t('reported a failure of the print job'), t('without a number')),
  'print_job.cancelled': changeOf(t('cancelled the print job'), t('without a number')),
  'print_job.paused': changeOf(t('paused the print job'), t('without a number')),
  'print_job.resumed': changeOf(t('resumed the print job'), t('without a number')),
  'print_job.held': changeOf(t('put the print job'), t('without a number'), t('on hold')),
  'print_job.requeued': changeOf(t('queued the print job'), t('without a number'), t('again')),
  'print_job.split': changeOf(t('split the print job'), t('without a number')),
  'print_job.merged': changeOf(t('merged the print job'), t('without a number')),
  'print_job.returned': changeOf(t('requeued the print job'), t('without a number')),
  'print_job.assigned': (entry) =>
    say(entry, '{who} assigned the print job {entityName} to {name}', {
      entityName: entityName(entry, t('without a number')),
      name: name(textOf(entry.after, 'printer'), t('any printer')),
    }),
  'print_job.assigned_anyway': (entry) =>
    say(entry, '{who} assigned the print job {entityName} to {name}, which does not fit{reasonSuffix}', {
      entityName: entityName(entry, t('without a number')),
      name: name(textOf(entry.after, 'printer'), t('a printer')),
      reasonSuffix: reasonSuffix(entry),
    }),
  'replenishment.proposed': (entry) => say(entry, '{who} asked for proposals to print low items'),
  'replenishment.dismissed': (entry) =>
    say(entry, '{who} dismissed the proposal to print {entityName}', {
      entityName: entityName(entry, t('an item')),
    }),
  'replenishment.restored': (entry) =>
    say(entry, '{who} restored the proposal to print {entityName}', {
      entityName: entityName(entry, t('an item')),
    }),
  'replenishment_schedule.updated': (entry) => say(entry, '{who} changed the time of the nightly proposals'),
  'printer.added': changeOf(t('added the printer'), t('without a name')),
  'printer.updated': changeOf(t('changed the printer'), t('without a name')),
  'printer.deleted': changeOf(t('moved the printer'), t('without a name'), t('to the trash')),
  'printer.restored': changeOf(t('restored the printer'), t('without a name')),
  'printer.cleared': changeOf(t('cleared the plate of'), t('a printer')),
  'printer.maintenance_started': (entry) =>
    say(entry, '{who} took {entityName} out of use for maintenance{reasonSuffix}', {
      entityName: entityName(entry, t('a printer')),
      reasonSuffix: reasonSuffix(entry),
    }),
  'printer.resumed': changeOf(t('put the printer'), t('without a name'), t('back into use')),
  'printer.maintenance_planned': changeOf(t('planned maintenance of the printer'), t('without a name')),
  'printer.maintenance_changed': changeOf(
    t('changed a maintenance plan of the printer'),
    t('without a name'),
  ),
  'printer.maintenance_unplanned': changeOf(
    t('ended a maintenance plan of the printer'),
    t('without a name'),
  ),
  'printer.serviced': (entry) =>
    say(entry, '{who} serviced {entityName}{reasonSuffix}', {
      entityName: entityName(entry, t('a printer')),
      reasonSuffix: reasonSuffix(entry),
    }),
  'printer.photo_added': changeOf(t('added a photo of the printer'), t('without a name')),
  'printer.photo_removed': changeOf(t('removed the photo of the printer'), t('without a name')),
  'printer.loaded': changeOf(t('changed the loaded filament of'), t('a printer')),
  'product.added': changeOf(t('added the product'), t('without a name')),
  'product.updated': changeOf(t('changed the product'), t('without a name')),
  'product.deleted': changeOf(t('moved the product'), t('without a name'), t('to the trash')),
  'product.restored': changeOf(t('restored the product'), t('without a name')),
  'product.published': changeOf(t('published the product'), t('without a name')),
  'product.publication_failed': (entry) =>
    say(entry, '{who} could not publish the product {entityName}{reasonSuffix}', {
      entityName: entityName(entry, t('without a name')),
      reasonSuffix: reasonSuffix(entry),
    }),
  'product.license_overridden': (entry) =>
    say(entry, '{who} allowed selling {entityName} against its license{reasonSuffix}', {
      entityName: entityName(entry, t('a product')),
      reasonSuffix: reasonSuffix(entry),
    }),
  'media.stored': changeOf(t('stored the media file'), t('without a name')),
  'media.moved': (entry) =>
    say(entry, '{who} moved the media file {name} to {entityName}', {
      name: name(textOf(entry.before, 'name')?.split('/').at(-1), t('without a name')),
      entityName: entityName(entry, t('another name')),
    }),
  'media.deleted': changeOf(t('removed the media file'), t('without a name')),
  'bucket.created': changeOf(t('created the bucket'), t('without a name')),
  'bucket.updated': changeOf(t('changed the bucket'), t('without a name')),
  'bucket.emptied': changeOf(t('emptied the bucket'), t('without a name')),
  'bucket.deleted': changeOf(t('deleted the bucket'), t('without a name')),
  'audit.exported': (entry) => say(entry, '{who} exported the audit'),
  'outbox.read': (entry) => say(entry, '{who} read emails in the outbox'),
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(WORDS, action)

/**
 * Returns the sentence for an entry. An action that this page does not support, because the server is newer, gets a
 * general sentence.
 */
export function describeEntry(entry: AuditedChange): Sentence {
  if (isKnown(entry.action)) return WORDS[entry.action](entry)
  return say(entry, '{who}: {action}, {entityName}', {
    action: entry.action.replaceAll(/[._]/g, ' '),
    entityName: entityName(entry, t('an unnamed object')),
  })
}

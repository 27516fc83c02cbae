import { t } from '@/lib/i18n/messages.ts'

const LABELS: Readonly<Record<string, string>> = {
  'stl-library.analyse': t('Measure and draw a model'),
  'stl-library.analyse-large': t('Measure and draw a large model'),
  'stl-library.turntable': t('Draw the turntable of a model'),
  'stl-library.slice': t('Estimate a print with the slicer'),
  'stl-library.suggest': t('Suggest a title, tags and a description'),
  'stl-library.fetch': t('Import a model from an address'),
  'stl-library.unpack': t('Import models from an archive'),
  'slices.slice-model': t('Slice a model'),
  'backups.make': t('Make a backup'),
  'mail.send': t('Send an email'),
  'sms.send': t('Send a text message'),
}

/** Returns the name of a kind of background work. A kind that this version does not know keeps the name of its queue. */
export const taskLabel = (queue: string): string => LABELS[queue] ?? queue

import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { MapPin, Printer as PrinterIcon, Wrench } from 'lucide-react'
import { Link } from 'react-router'
import { MediaPicture } from '@/components/media-picture.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { useNow } from '@/lib/browser/use-now.ts'
import { formatPercent } from '@/lib/format/format.ts'
import { CameraPicture } from '../camera-picture.tsx'
import { PrinterActions } from '../machine/printer-actions.tsx'
import { PrinterStateBadge } from '../printer-state-badge.tsx'
import { filamentName, partColor, printerNote, progressOf } from '../printer-labels.ts'
import type { PrinterAddresses } from '../printers-address.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

interface PrinterCardProps {
  printer: Printer
  /** Address of the printer's page. */
  to: string
  addresses: PrinterAddresses
}

/** A printer on the floor, with its job, progress, filament, and next job. */
export const PrinterCard = ({ printer, to, addresses }: PrinterCardProps) => (
  <article className="flex h-full flex-col rounded-card border border-line bg-surface">
    <div className="flex-1 p-3.5 pb-3">
      <div className="mb-3 flex items-start gap-2">
        {printer.photo_path ? (
          <MediaPicture src={printer.photo_path} fit="cover" className="size-10" />
        ) : null}
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold">
            <Link to={to} className="block truncate text-start hover:underline">
              <bdi className="block truncate">{printer.name}</bdi>
            </Link>
          </h3>
          <p className="truncate text-caption text-ink-3">
            <span className="code">{printer.label_code}</span>
            {printer.model ? (
              <>
                {' '}
                · <bdi>{printer.model}</bdi>
              </>
            ) : null}
          </p>
        </div>
        <PrinterStateBadge printer={printer} />
      </div>
      <Work printer={printer} addresses={addresses} />
      <Slots printer={printer} />
    </div>
    <div className="flex min-h-11 items-center gap-2 border-t border-line px-3.5 py-1.5 text-caption text-ink-3">
      <Footer printer={printer} addresses={addresses} />
      <PrinterActions printer={printer} size="sm" />
    </div>
  </article>
)

function Work({ printer, addresses }: { printer: Printer; addresses: PrinterAddresses }) {
  const nowMs = useNow()
  const { current_job: job, camera_path: camera } = printer
  const progress = progressOf(printer, nowMs)
  return (
    <div className="flex min-h-20 items-start gap-3.5">
      {camera && job && printer.state !== 'offline' ? (
        <CameraPicture src={camera} name={printer.name} fit="cover" className="h-20 w-28" />
      ) : job ? (
        <PartPicture src={job.thumbnail_path} tint={partColor(printer)} className="size-20" />
      ) : (
        <span className="grid size-20 shrink-0 place-items-center rounded-control bg-sunken text-ink-3">
          {printer.state === 'maintenance' ? (
            <Wrench size={26} strokeWidth={1.4} aria-hidden />
          ) : (
            <PrinterIcon size={26} strokeWidth={1.4} aria-hidden />
          )}
        </span>
      )}
      <div className="min-w-0 flex-1">
        {job ? (
          <>
            <Link
              to={addresses.job(job.id)}
              className="line-clamp-2 text-start leading-[18px] font-medium hover:underline"
            >
              <bdi title={job.name}>{job.name}</bdi>
            </Link>
            <p className="text-caption text-ink-3">
              <span className="code">{job.label_code}</span>
              {' · '}
              {job.plates > 1
                ? t('plate {plate_number} of {plates} · {pieces, plural, one {# piece} other {# pieces}}', {
                    plate_number: job.plate_number,
                    plates: job.plates,
                    pieces: job.pieces,
                  })
                : t('{pieces, plural, one {# piece} other {# pieces}}', { pieces: job.pieces })}
            </p>
          </>
        ) : null}
        <p className="mt-0.5 line-clamp-4 text-label text-ink-2">
          {progress !== null ? (
            <span className="font-semibold text-ink">{formatPercent(progress)} </span>
          ) : null}
          {printerNote(printer, nowMs)}
        </p>
        {progress !== null ? (
          <Progress
            label={t('Progress of {name}', { name: printer.name })}
            value={progress}
            className="mt-1.5"
          />
        ) : null}
      </div>
    </div>
  )
}

const Slots = ({ printer: { slots } }: { printer: Printer }) => (
  <ul aria-label={t('Filament')} className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-caption text-ink-2">
    {slots.map((slot) => (
      <li key={slot.slot} className="flex min-w-0 items-center gap-1.5">
        {slots.length > 1 ? <span className="text-ink-3">{slot.slot}</span> : null}
        {slot.filament_id ? (
          <>
            <ColorDot hex={slot.color_hex} />
            <bdi className="truncate">{filamentName(slot)}</bdi>
          </>
        ) : (
          <span className="text-ink-3">{t('empty slot')}</span>
        )}
      </li>
    ))}
  </ul>
)

function Footer({ printer, addresses }: { printer: Printer; addresses: PrinterAddresses }) {
  const { next_job: next, proposed_job: proposed, location } = printer
  const toCome = next ?? proposed
  if (toCome) {
    const job = (
      <Link to={addresses.job(toCome.id)} className="text-ink-2 hover:underline">
        <bdi>{toCome.name}</bdi>
      </Link>
    )
    return (
      <span className="min-w-0 flex-1 truncate">
        {next ? rich('Next: {job}', { job }) : rich('Proposed: {job}', { job })}
      </span>
    )
  }
  return (
    <span className="flex min-w-0 flex-1 items-center gap-1">
      {location ? (
        <>
          <MapPin size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
          <bdi className="truncate">{location}</bdi>
        </>
      ) : (
        t('No next job')
      )}
    </span>
  )
}

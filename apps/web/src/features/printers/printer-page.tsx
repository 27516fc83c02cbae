import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { EntityColumns, EntityPage, OverviewSkeleton } from '@/components/kit/entity-page.tsx'
import { MediaPicture } from '@/components/media-picture.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { useNow } from '@/lib/browser/use-now.ts'
import { formatCount, formatDateTime, formatMoney, formatPercent } from '@/lib/format/format.ts'
import { AgentFactsCard } from './agent-facts-card.tsx'
import { CameraPicture } from './camera-picture.tsx'
import { PrinterActions } from './machine/printer-actions.tsx'
import { hasPrinterButton } from './machine/printer-button.ts'
import { SlotsCard } from './machine/slots-card.tsx'
import { KIND_LABELS, partColor, printerNote, progressOf, sizeText, successText } from './printer-labels.ts'
import { MaintenanceCard } from './maintenance/maintenance-card.tsx'
import { ProfilesCard } from './profiles-card.tsx'
import { PrinterStateBadge } from './printer-state-badge.tsx'
import type { PrinterAddresses } from './printers-address.ts'
import { printerQuery } from './printers.queries.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

interface PrinterPageProps {
  id: string
  /** Address of the floor with its filters. */
  backTo: string
  addresses: PrinterAddresses
}

/** The page of a printer, with its current job, its filament, and its details. */
export function PrinterPage({ id, backTo, addresses }: PrinterPageProps) {
  return (
    <EntityPage
      query={useQuery(printerQuery(id))}
      list={{ to: backTo, name: t('Printers'), one: 'printer' }}
      name={({ name }) => name}
      badges={(printer) => <PrinterStateBadge printer={printer} />}
      actions={(printer, leave) => <PrinterActions printer={printer} size="md" onRemove={leave} />}
      hasButtons={hasPrinterButton}
      skeleton={<OverviewSkeleton />}
    >
      {(printer) => (
        <EntityColumns>
          <div className="flex flex-col gap-4">
            <NowCard printer={printer} addresses={addresses} />
            <SlotsCard printer={printer} spoolAddress={addresses.spool} />
            <MaintenanceCard printer={printer} />
            <ProfilesCard printer={printer} />
          </div>
          <div className="flex flex-col gap-4">
            <PrinterDetails printer={printer} />
            {printer.agent_facts ? <AgentFactsCard facts={printer.agent_facts} /> : null}
          </div>
        </EntityColumns>
      )}
    </EntityPage>
  )
}

function NowCard({ printer, addresses }: { printer: Printer; addresses: PrinterAddresses }) {
  const nowMs = useNow()
  const { current_job: job, next_job: next, proposed_job: proposed, camera_path: camera } = printer
  const progress = progressOf(printer, nowMs)
  return (
    <Card className="p-4">
      <h2 className="mb-3 font-semibold">{t('Now')}</h2>
      {camera && printer.state !== 'offline' ? (
        <CameraPicture
          src={camera}
          name={printer.name}
          fit="contain"
          className="mb-3 h-[clamp(12rem,40vh,24rem)] w-full"
        />
      ) : null}
      <div className="flex items-start gap-4">
        {job ? <PartPicture src={job.thumbnail_path} tint={partColor(printer)} className="size-24" /> : null}
        <div className="min-w-0 flex-1">
          {job ? (
            <>
              <Link to={addresses.job(job.id)} className="font-medium hover:underline">
                <bdi>{job.name}</bdi>
              </Link>
              <p className="text-caption text-ink-3">
                <span className="code">{job.label_code}</span>
                {' · '}
                {t('plate {plate_number} of {plates} · {pieces, plural, one {# piece} other {# pieces}}', {
                  plate_number: job.plate_number,
                  plates: job.plates,
                  pieces: job.pieces,
                })}
              </p>
            </>
          ) : null}
          <p className="text-label text-ink-2">
            {progress !== null ? <strong className="text-ink">{formatPercent(progress)} </strong> : null}
            {printerNote(printer, nowMs)}
          </p>
          {progress !== null ? (
            <Progress label={t('Progress of the print')} value={progress} className="mt-2" />
          ) : null}
        </div>
      </div>
      <p className="mt-3 border-t border-line pt-3 text-label text-ink-2">
        {next ? (
          <NextJob
            text={rich('Next: {link}', { link: <JobLink job={next} addresses={addresses} /> })}
            job={next}
          />
        ) : proposed ? (
          <NextJob
            text={rich('Proposed: {link}', { link: <JobLink job={proposed} addresses={addresses} /> })}
            job={proposed}
          />
        ) : (
          t('No job waits for this printer.')
        )}
      </p>
    </Card>
  )
}

type JobToCome = NonNullable<Printer['next_job']>

const JobLink = ({ job, addresses }: { job: JobToCome; addresses: PrinterAddresses }) => (
  <Link to={addresses.job(job.id)} className="link">
    <bdi>{job.name}</bdi>
  </Link>
)

/** The job that a printer prints next, with its label code. */
const NextJob = ({ text, job }: { text: ReactNode; job: JobToCome }) => (
  <>
    {text} <span className="code text-caption text-ink-3">{job.label_code}</span>
  </>
)

const PrinterDetails = ({ printer }: { printer: Printer }) => (
  <Card>
    {printer.photo_path ? (
      <MediaPicture
        src={printer.photo_path}
        alt={t('Photo of {name}', { name: printer.name })}
        fit="cover"
        className="aspect-video w-full rounded-b-none!"
      />
    ) : null}
    <div className="border-b border-line p-4">
      <p className="text-caption text-ink-3 code">{printer.label_code}</p>
      <p className="text-figure font-[580]">
        {formatCount(printer.print_hours)}
        <span className="text-body font-normal tracking-normal text-ink-2"> {t('hours printed')}</span>
      </p>
      <p className="text-label text-ink-2">
        {successText(printer) === null
          ? t('No plate finished yet')
          : t('{successText} of plates succeeded', { successText: successText(printer) })}
      </p>
    </div>
    <DetailList>
      <Detail name={t('Model')}>{printer.model}</Detail>
      <Detail name={t('Prints')}>{sizeText(printer)}</Detail>
      <Detail name={t('Started by')}>{KIND_LABELS[printer.kind]}</Detail>
      <Detail name={t('Address')}>{printer.address}</Detail>
      <Detail name={t('Key')}>{printer.has_api_key ? t('Stored') : null}</Detail>
      <Detail name={t('Location')}>{printer.location}</Detail>
      <Detail name={t('Hourly rate')}>
        {printer.hourly_rate === null ? null : formatMoney(printer.hourly_rate)}
      </Detail>
      <Detail name={t('Power')}>
        {printer.average_watts === null ? null : `${printer.average_watts} W`}
      </Detail>
      <Detail name={t('Last seen')}>{printer.seen_at && formatDateTime(printer.seen_at)}</Detail>
      <Detail name={t('Maintenance due')}>{printer.maintenance_due.join(', ') || null}</Detail>
      <Detail name={t('Notes')}>{printer.notes}</Detail>
    </DetailList>
  </Card>
)

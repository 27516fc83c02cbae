import {
  type Label,
  type LabelSubject,
  MAX_LABELS_PER_RUN,
  MAX_LABEL_SUBJECTS,
} from '@pegasus/contracts/labels/labels'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileDown, Printer } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { saveFile } from '@/lib/browser/save-file.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { type LabelChoice, saveChoice, paperOf, readChoice } from './label-selection.ts'
import { LabelChoices } from './label-choices.tsx'
import { LabelPages } from './label-pages.tsx'
import { LabelSettings } from './label-settings.tsx'
import { canBeMarked, fetchSheet, labelsQuery, markPrinted } from './labels.queries.ts'
import { SheetPreview } from './sheet-preview.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/** Maximum number of missing characters that the message lists. */
const MAX_MISSING_SHOWN = 12

interface LabelsDialogProps {
  /** The subjects to print labels for, in this order. At most 500 are printed. */
  subjects: readonly LabelSubject[]
  onClose: () => void
}

/**
 * The dialog that prints labels. People choose paper and content, see the first page, and print it or save it as a PDF.
 */
export function LabelsDialog({ subjects: all, onClose }: LabelsDialogProps) {
  const subjects = all.slice(0, MAX_LABEL_SUBJECTS)
  const [choice, setChoice] = useState<LabelChoice>(readChoice)
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const [copies, setCopies] = useState(1)
  const [startCell, setStartCell] = useState(1)
  const [isOnPaper, setIsOnPaper] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  const [hasOutput, setHasOutput] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const query = useQuery(labelsQuery(subjects))
  const canMark = isEmployeeOrHigher(useCurrentUser().role)
  const paper = paperOf(choice)
  const allLabels = query.data ?? []
  const labels = allLabels.filter(({ id }) => !excluded.has(id))
  const run = labels.flatMap((label) => Array.from({ length: copies }, () => label))
  const tooMany = run.length > MAX_LABELS_PER_RUN
  const canPrint = paper !== null && run.length > 0 && !tooMany

  const print = () => {
    saveChoice(choice)
    setError(null)
    // The pages must be rendered before the browser prints. They stay afterwards, because phones print after
    // this call returns.
    flushSync(() => setIsOnPaper(true))
    window.print()
    setHasOutput(true)
  }

  const savePdf = async () => {
    saveChoice(choice)
    setError(null)
    setIsSaving(true)
    try {
      saveFile(
        await fetchSheet(
          subjects.filter(({ id }) => !excluded.has(id)),
          { choice, copies, startCell },
        ),
        'labels.pdf',
      )
      setHasOutput(true)
    } catch (failure) {
      setError(errorMessage(failure, t('The labels could not be drawn. Please try again.')))
    } finally {
      setIsSaving(false)
    }
  }

  const missing = [...new Set(labels.flatMap((label) => label.missing_letters))].slice(0, MAX_MISSING_SHOWN)
  const missingCount = subjects.length - allLabels.length
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title={t('Print labels')}
      description={t('{run, plural, one {# label} other {# labels}}{missingCount}{MAX_LABEL_SUBJECTS}', {
        run: run.length,
        missingCount:
          missingCount > 0 && query.data
            ? t('; {missingCount} of the selected objects no longer exist', { missingCount })
            : '',
        MAX_LABEL_SUBJECTS:
          all.length > subjects.length
            ? t('; the first {MAX_LABEL_SUBJECTS} of {all}', { MAX_LABEL_SUBJECTS, all: all.length })
            : '',
      })}
      error={
        error ??
        (tooMany ? t('At most {MAX_LABELS_PER_RUN} labels at a time.', { MAX_LABELS_PER_RUN }) : null)
      }
      footer={
        <>
          <Button onClick={onClose}>{hasOutput ? t('Close') : t('Cancel')}</Button>
          <Button
            icon={<FileDown {...ICON} />}
            isPending={isSaving}
            disabled={!canPrint}
            onClick={() => void savePdf()}
          >
            {t('Save as PDF')}
          </Button>
          <Button variant="primary" icon={<Printer {...ICON} />} disabled={!canPrint} onClick={print}>
            {t('Print')}
          </Button>
        </>
      }
    >
      <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_300px]">
        <div className="grid min-h-60 place-items-center rounded-card bg-sunken p-4">
          {query.isPending ? <Skeleton className="h-40 w-full max-w-80" /> : null}
          {query.isError ? (
            <ErrorState message={query.error.message} onRetry={() => void query.refetch()} />
          ) : null}
          {paper && run.length > 0 ? (
            <SheetPreview
              labels={run}
              paper={paper}
              fields={choice.fields}
              startCell={startCell}
              onStart={setStartCell}
            />
          ) : null}
          {missing.length > 0 ? (
            <p className="mt-3 text-label text-ink-2">
              {rich('A PDF shows boxes in place of {missing}. Print shows these characters.', {
                missing: <bdi>{missing.join(' ')}</bdi>,
              })}
            </p>
          ) : null}
          {query.data?.length === 0 ? <p>{t('The selected objects no longer exist.')}</p> : null}
        </div>
        <LabelSettings
          choice={choice}
          onChoice={(next) => {
            setIsOnPaper(false)
            setChoice(next)
          }}
          paper={paper}
          copies={copies}
          onCopies={setCopies}
          startCell={startCell}
          onStart={setStartCell}
        />
      </div>
      <LabelChoices
        labels={allLabels}
        excluded={excluded}
        onChange={(next) => {
          setIsOnPaper(false)
          setExcluded(next)
        }}
      />
      {hasOutput && canMark && canBeMarked(labels) ? (
        <MarkPrinted labels={labels} choice={choice} onDone={onClose} onError={setError} />
      ) : null}
      {isOnPaper && paper ? (
        <LabelPages labels={run} paper={paper} fields={choice.fields} startCell={startCell} />
      ) : null}
    </Dialog>
  )
}

interface MarkPrintedProps {
  labels: readonly Label[]
  choice: LabelChoice
  onDone: () => void
  onError: (text: string) => void
}

/** Asks whether the labels were printed, because the browser does not report that. */
function MarkPrinted({ labels, choice, onDone, onError }: MarkPrintedProps) {
  const queryClient = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const mark = async () => {
    setIsPending(true)
    try {
      await markPrinted(labels, choice.fields)
      void queryClient.invalidateQueries({ queryKey: ['labels'] })
      toast({
        title: t('{labels, plural, one {# label} other {# labels}} marked as printed', {
          labels: labels.length,
        }),
      })
      onDone()
    } catch (failure) {
      onError(errorMessage(failure, t('The labels could not be marked as printed. Please try again.')))
      setIsPending(false)
    }
  }
  return (
    <div
      role="status"
      className="mt-4 flex flex-wrap items-center gap-3 rounded-control bg-accent-soft px-3 py-2 text-accent-ink"
    >
      <span className="flex-1">{t('Were the labels printed correctly?')}</span>
      <Button size="sm" isPending={isPending} onClick={() => void mark()}>
        {t('Yes, mark them as printed')}
      </Button>
    </div>
  )
}

import type { LabelSubject } from '@pegasus/contracts/labels/labels'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigationType, useSearchParams } from 'react-router'
import { connectLabelDialog } from '@/lib/labels/print-labels.ts'

const LabelsDialog = lazy(async () => ({ default: (await import('./labels-dialog.tsx')).LabelsDialog }))

/**
 * Renders the dialog that `printLabels` opens. Mounted only once, in the app's shell. The dialog closes when another
 * page is opened, for example with the browser's Back button.
 */
export function LabelsHost() {
  const [subjects, setSubjects] = useState<readonly LabelSubject[] | null>(null)
  const { key, pathname } = useLocation()
  const [search] = useSearchParams()
  const navigationType = useNavigationType()
  const page = `${pathname} ${search.get('tab')}`
  const [last, setLast] = useState({ key, page })
  useEffect(() => connectLabelDialog(setSubjects), [])
  if (key !== last.key) {
    setLast({ key, page })
    // A filter that changes the address of the same page leaves the dialog open.
    if (navigationType === 'POP' || page !== last.page) setSubjects(null)
  }
  if (!subjects) return null
  return (
    <Suspense fallback={null}>
      <LabelsDialog subjects={subjects} onClose={() => setSubjects(null)} />
    </Suspense>
  )
}

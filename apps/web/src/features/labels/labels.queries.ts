import {
  type Label,
  type LabelField,
  type LabelSubject,
  LABELLED_KINDS,
  type LabelledKind,
  markLabelsPrinted,
  printLabelSheet,
  readLabels,
} from '@pegasus/contracts/labels/labels'
import { queryOptions } from '@tanstack/react-query'
import { callApi, callForBytes } from '@/lib/http/api.ts'
import { type LabelChoice, CUSTOM_SIZE, paperOf } from './label-selection.ts'

export const labelsQuery = (subjects: readonly LabelSubject[]) =>
  queryOptions({
    queryKey: ['labels', 'read', subjects],
    queryFn: ({ signal }) => callApi(readLabels, { body: { things: [...subjects] }, signal }),
    // Names and locations may have changed since the last print.
    staleTime: 0,
  })

/** Returns a PDF of the labels, which the server renders. */
export async function fetchSheet(
  subjects: readonly LabelSubject[],
  options: { choice: LabelChoice; copies: number; startCell: number },
): Promise<Blob> {
  const { choice, copies, startCell } = options
  const paper = choice.paperId === CUSTOM_SIZE ? paperOf(choice) : choice.paperId
  if (!paper) throw new Error('the paper of this choice was not checked')
  const response = await callForBytes(printLabelSheet, {
    body: {
      labels: subjects.map((subject) => ({ ...subject, copies })),
      paper,
      fields: [...choice.fields],
      start_cell: startCell,
    },
  })
  return response.blob()
}

const isLabelled = (label: Label): label is Label & { kind: LabelledKind } =>
  LABELLED_KINDS.some((kind) => kind === label.kind)

/** Returns whether the label queue can mark at least one of the labels as printed. */
export const canBeMarked = (labels: readonly Label[]): boolean => labels.some(isLabelled)

export const markPrinted = (labels: readonly Label[], fields: readonly LabelField[]) =>
  callApi(markLabelsPrinted, {
    body: { labels: labels.filter(isLabelled).map(({ kind, id }) => ({ kind, id })), fields: [...fields] },
  })

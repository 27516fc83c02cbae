import { signOut } from './session.ts'

/** Asks whether to continue although something would be lost. */
type Question = () => Promise<boolean>

const questions = new Set<Question>()

/** Makes `signOutAfterAsking` ask first. Returns a function that ends this. */
export function askBeforeSignOut(question: Question): () => void {
  questions.add(question)
  return () => void questions.delete(question)
}

/** Signs out, after a question if running work would be lost. */
export async function signOutAfterAsking(): Promise<void> {
  for (const isFine of questions) if (!(await isFine())) return
  await signOut()
}

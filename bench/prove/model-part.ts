import { type ModelRuns, runModel } from '../../e2e/proofs/model.ts';

/** The result of a part: the findings of its runs, or the run that contradicts the model. */
export type PartReply = { readonly told: string } | { readonly found: ModelRuns } | { readonly contradiction: string };

/** A part of the runs in a separate process: `node model-part.ts <runs> <acts> <seed>`. */
const [runs = 0, acts = 0, seed = 0] = process.argv.slice(2).map(Number);
const sendReply = (message: PartReply): void => void process.send?.(message);
try {
  sendReply({ found: await runModel({ runs, acts, seed }, (told) => sendReply({ told })) });
} catch (error) {
  sendReply({ contradiction: error instanceof Error ? error.message : `${error}` });
}
process.disconnect?.();

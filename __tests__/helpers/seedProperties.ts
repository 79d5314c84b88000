import fc from 'fast-check';

/** Property tests see the same cases in every run; FC_SEED=<number> takes others. */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_121) });

/** The thread in which the image is made that all instances begin with. */

import { parentPort, workerData } from 'node:worker_threads';
import { OwnRubyImages } from './ruby-images.ts';

parentPort?.postMessage(new OwnRubyImages(workerData as number).get());

/** Settings of proofs of identity, by which servers join without a person. A pure table. */

import { setting } from './setting.ts';
import { oneOf, path } from './setting-types.ts';

const section = 'Proofs of identity';

export const identitySettings = {
  identity: setting({
    name: 'identity',
    type: oneOf('none', 'aws', 'aws-document', 'kubernetes'),
    default: 'none',
    doc: 'How a compile server proves who it is when it asks for its certificate: by the role of its instance on AWS, by the signed document of its instance, or by the token of its pod. `signing_policy` of the primary has to take it.',
    section,
  }),
  identityTokenFile: setting({
    name: 'identity_token_file',
    type: path,
    default: '/var/run/secrets/bunraku/token',
    doc: 'The token of the pod for the audience `bunraku`, with `identity = kubernetes`.',
    section,
  }),
  awsDocumentCertificates: setting({
    name: 'aws_document_certificates',
    type: path,
    default: '',
    doc: "On the primary: a file with AWS's public RSA-2048 certificates of the regions whose identity documents are taken; none are taken without it.",
    section,
  }),
  kubeconfig: setting({
    name: 'kubeconfig',
    type: path,
    default: '',
    doc: 'On the primary: how the Kubernetes cluster is reached whose pods are compile servers. In a pod, empty means the cluster of the pod.',
    section,
  }),
} as const;

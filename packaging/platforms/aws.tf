# Compile servers of Bunraku as an Auto Scaling group behind a Network Load Balancer (Terraform): the same as the template for CloudFormation.
#
#   terraform apply -var vpc_id=... -var 'subnet_ids=["..."]' -var image_id=... -var primary_url=https://primary.example.com:8140 \
#     -var ca_fingerprint=... -var agents_cidr=10.0.0.0/8
#
# image_id: a Debian with the package of Bunraku installed. docs/autoscaling-on-aws.md has the rest.
terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = ">= 5.40" }
  }
}

variable "name" {
  type    = string
  default = "puppet-compile"
}
variable "vpc_id" { type = string }
variable "subnet_ids" { type = list(string) }
variable "image_id" { type = string }
variable "instance_type" {
  type    = string
  default = "c7a.large"
}
variable "primary_url" { type = string }
variable "ca_fingerprint" { type = string }
variable "agents_cidr" { type = string }
variable "min_size" {
  type    = number
  default = 2
}
variable "max_size" {
  type    = number
  default = 20
}
variable "capacity_target" {
  type    = number
  default = 60
}

data "aws_caller_identity" "this" {}
data "aws_region" "this" {}
data "aws_partition" "this" {}

locals {
  ports     = { agents = 8140, brokers = 8142 }
  group_arn = "arn:${data.aws_partition.this.partition}:autoscaling:${data.aws_region.this.name}:${data.aws_caller_identity.this.account_id}:autoScalingGroup:*:autoScalingGroupName/${var.name}"
}

resource "aws_security_group" "balancer" {
  name_prefix = "${var.name}-balancer-"
  vpc_id      = var.vpc_id
  dynamic "ingress" {
    for_each = local.ports
    content {
      protocol    = "tcp"
      from_port   = ingress.value
      to_port     = ingress.value
      cidr_blocks = [var.agents_cidr]
    }
  }
  egress {
    protocol    = "-1"
    from_port   = 0
    to_port     = 0
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_security_group" "server" {
  name_prefix = "${var.name}-server-"
  vpc_id      = var.vpc_id
  dynamic "ingress" {
    for_each = local.ports
    content {
      protocol        = "tcp"
      from_port       = ingress.value
      to_port         = ingress.value
      security_groups = [aws_security_group.balancer.id]
    }
  }
  egress {
    protocol    = "-1"
    from_port   = 0
    to_port     = 0
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_lb" "this" {
  name                             = var.name
  load_balancer_type               = "network"
  internal                         = true
  subnets                          = var.subnet_ids
  security_groups                  = [aws_security_group.balancer.id]
  enable_cross_zone_load_balancing = true
}

resource "aws_lb_target_group" "this" {
  for_each               = local.ports
  name                   = "${var.name}-${each.key}"
  vpc_id                 = var.vpc_id
  protocol               = "TCP"
  port                   = each.value
  preserve_client_ip     = true
  deregistration_delay   = 60
  connection_termination = false
  # A server that leaves turns unhealthy first; its connections must not be reset then.
  target_health_state {
    enable_unhealthy_connection_termination = false
  }
  health_check {
    protocol            = "HTTPS"
    port                = "8140"
    path                = "/status/v1/simple"
    interval            = 10
    healthy_threshold   = 2
    unhealthy_threshold = 2
  }
}

resource "aws_lb_listener" "this" {
  for_each          = local.ports
  load_balancer_arn = aws_lb.this.arn
  protocol          = "TCP"
  port              = each.value
  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.this[each.key].arn
  }
}

# Only EC2 may take it: whoever else could, could pass for an instance.
resource "aws_iam_role" "server" {
  name_prefix = "${var.name}-"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { Service = "ec2.amazonaws.com" }, Action = "sts:AssumeRole" }]
  })
}

resource "aws_iam_role_policy" "server" {
  role = aws_iam_role.server.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "autoscaling:DescribeAutoScalingInstances", Resource = "*" },
      {
        Effect   = "Allow"
        Action   = ["autoscaling:CompleteLifecycleAction", "autoscaling:RecordLifecycleActionHeartbeat"]
        Resource = local.group_arn
      },
      {
        Effect    = "Allow"
        Action    = "cloudwatch:PutMetricData"
        Resource  = "*"
        Condition = { StringEquals = { "cloudwatch:namespace" = "Bunraku" } }
      },
    ]
  })
}

resource "aws_iam_instance_profile" "server" {
  name_prefix = "${var.name}-"
  role        = aws_iam_role.server.name
}

# To be attached to the role of the primary.
resource "aws_iam_policy" "primary" {
  name_prefix = "${var.name}-primary-"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "autoscaling:DescribeAutoScalingInstances", Resource = "*" },
      {
        Effect   = "Allow"
        Action   = ["autoscaling:CompleteLifecycleAction", "autoscaling:TerminateInstanceInAutoScalingGroup"]
        Resource = local.group_arn
      },
    ]
  })
}

resource "aws_launch_template" "server" {
  name_prefix            = "${var.name}-"
  image_id               = var.image_id
  instance_type          = var.instance_type
  vpc_security_group_ids = [aws_security_group.server.id]
  iam_instance_profile {
    arn = aws_iam_instance_profile.server.arn
  }
  # Version 2 of the metadata service alone, from the instance itself alone.
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }
  user_data = base64encode(<<-USER_DATA
    #cloud-config
    write_files:
      - path: /etc/default/bunraku-autoscaled
        permissions: '0644'
        content: |
          PRIMARY=${var.primary_url}
          CA_FINGERPRINT=${var.ca_fingerprint}
          DNS_ALT_NAMES=puppet,${aws_lb.this.dns_name}
          IDENTITY=aws
    runcmd:
      - [sh, -c, 'bunraku autoscaler template systemd > /etc/systemd/system/bunraku-autoscaled.service']
      - [sh, -c, 'bunraku autoscaler template systemd-script > /usr/local/sbin/bunraku-autoscaled']
      - [chmod, '755', /usr/local/sbin/bunraku-autoscaled]
      - [systemctl, daemon-reload]
      - [systemctl, enable, bunraku-autoscaled]
      - [systemctl, start, --no-block, bunraku-autoscaled]
  USER_DATA
  )
}

resource "aws_autoscaling_group" "this" {
  name                      = var.name
  vpc_zone_identifier       = var.subnet_ids
  min_size                  = var.min_size
  max_size                  = var.max_size
  health_check_type         = "ELB"
  health_check_grace_period = 300
  default_instance_warmup   = 60
  target_group_arns         = [for group in aws_lb_target_group.this : group.arn]
  launch_template {
    id      = aws_launch_template.server.id
    version = aws_launch_template.server.latest_version
  }
  # A new instance serves before an old one goes.
  instance_maintenance_policy {
    min_healthy_percentage = 100
    max_healthy_percentage = 150
  }
  initial_lifecycle_hook {
    name                 = "bunraku-launch"
    lifecycle_transition = "autoscaling:EC2_INSTANCE_LAUNCHING"
    heartbeat_timeout    = 300
    default_result       = "ABANDON"
  }
  initial_lifecycle_hook {
    name                 = "bunraku-terminate"
    lifecycle_transition = "autoscaling:EC2_INSTANCE_TERMINATING"
    heartbeat_timeout    = 300
    default_result       = "CONTINUE"
  }
}

resource "aws_autoscaling_policy" "capacity_used" {
  name                   = "capacity-used"
  autoscaling_group_name = aws_autoscaling_group.this.name
  policy_type            = "TargetTrackingScaling"
  target_tracking_configuration {
    target_value = var.capacity_target
    customized_metric_specification {
      namespace   = "Bunraku"
      metric_name = "CapacityUsed"
      statistic   = "Average"
      metric_dimension {
        name  = "AutoScalingGroupName"
        value = aws_autoscaling_group.this.name
      }
    }
  }
}

# In case the metric is missing: it only adds.
resource "aws_autoscaling_policy" "processor_time" {
  name                   = "processor-time"
  autoscaling_group_name = aws_autoscaling_group.this.name
  policy_type            = "TargetTrackingScaling"
  target_tracking_configuration {
    target_value     = 80
    disable_scale_in = true
    predefined_metric_specification {
      predefined_metric_type = "ASGAverageCPUUtilization"
    }
  }
}

output "balancer_name" { value = aws_lb.this.dns_name }
output "group_name" { value = aws_autoscaling_group.this.name }
output "role_name" { value = aws_iam_role.server.name }
output "primary_policy_arn" { value = aws_iam_policy.primary.arn }
